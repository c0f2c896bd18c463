/** The texts of the page that a link opens, in every language of the widget. */
type State = readonly [title: string, text: string];

const en = {
  asks: (requester: string) => `${requester} asks`,
  you: (name: string) => `You answer as ${name}`,
  yourAnswer: (name: string) => `Your answer as ${name}`,
  reason: 'Reason',
  allow: 'Allow',
  deny: 'Deny',
  heading: 'A question is waiting for your answer',
  retry: 'Try again',
  offline: 'No connection. Your answer is saved here.',
  states: {
    sent: ['Thank you', 'Your answer was received. You can close this page.'],
    answered: ['Already answered', 'This question was answered. You do not need to do anything.'],
    declined: ['Declined', 'This question was declined. You do not need to do anything.'],
    expired: ['Expired', 'The deadline for this question has passed.'],
    cancelled: ['Cancelled', 'An answer is no longer needed.'],
    linkOver: [
      'This link has expired',
      'Links work for a limited time. The question may still be open: ask the sender for a new link.',
    ],
    linkBroken: [
      'This link is incomplete',
      'Open it again from the message, or copy the whole link into the address bar.',
    ],
    gone: ['Question not found', 'It may have been deleted. Ask the sender of the link.'],
    unreachable: ['No connection', 'The server cannot be reached right now. This page retries automatically.'],
  } satisfies Record<string, State>,
};

/** The states that the page shows instead of a question. */
export type PageState = keyof typeof en.states;

export type Words = Omit<typeof en, 'states'> & { states: Record<PageState, State> };

const de: Words = {
  asks: (requester) => `${requester} fragt`,
  you: (name) => `Sie antworten als ${name}`,
  yourAnswer: (name) => `Ihre Antwort als ${name}`,
  reason: 'Grund',
  allow: 'Erlauben',
  deny: 'Verbieten',
  heading: 'Eine Frage wartet auf Ihre Antwort',
  retry: 'Erneut versuchen',
  offline: 'Keine Verbindung. Ihre Antwort ist hier gespeichert.',
  states: {
    sent: ['Danke', 'Ihre Antwort ist angekommen. Sie können diese Seite schließen.'],
    answered: ['Bereits beantwortet', 'Diese Frage wurde bereits beantwortet. Sie müssen nichts weiter tun.'],
    declined: ['Abgelehnt', 'Diese Frage wurde abgelehnt. Sie müssen nichts weiter tun.'],
    expired: ['Abgelaufen', 'Die Frist für diese Frage ist abgelaufen.'],
    cancelled: ['Zurückgezogen', 'Eine Antwort wird nicht mehr benötigt.'],
    linkOver: [
      'Dieser Link ist abgelaufen',
      'Links sind nur begrenzt gültig. Vielleicht ist die Frage noch offen: Bitten Sie den Absender um einen neuen Link.',
    ],
    linkBroken: [
      'Dieser Link ist unvollständig',
      'Öffnen Sie ihn erneut aus der Nachricht oder kopieren Sie den ganzen Link in die Adresszeile.',
    ],
    gone: ['Frage nicht gefunden', 'Sie wurde vielleicht gelöscht. Fragen Sie den Absender des Links.'],
    unreachable: [
      'Keine Verbindung',
      'Der Server ist gerade nicht erreichbar. Diese Seite versucht es automatisch erneut.',
    ],
  },
};

const es: Words = {
  asks: (requester) => `${requester} pregunta`,
  you: (name) => `Usted responde como ${name}`,
  yourAnswer: (name) => `Su respuesta como ${name}`,
  reason: 'Motivo',
  allow: 'Permitir',
  deny: 'Denegar',
  heading: 'Una pregunta espera su respuesta',
  retry: 'Reintentar',
  offline: 'Sin conexión. Su respuesta está guardada aquí.',
  states: {
    sent: ['Gracias', 'Hemos recibido su respuesta. Puede cerrar esta página.'],
    answered: ['Ya respondida', 'Esta pregunta ya se ha respondido. No tiene que hacer nada más.'],
    declined: ['Rechazada', 'Esta pregunta se ha rechazado. No tiene que hacer nada más.'],
    expired: ['Caducada', 'El plazo para responder a esta pregunta ha terminado.'],
    cancelled: ['Cancelada', 'Ya no se necesita una respuesta.'],
    linkOver: [
      'Este enlace ha caducado',
      'Los enlaces funcionan durante un tiempo limitado. Puede que la pregunta siga abierta: pida un enlace nuevo al remitente.',
    ],
    linkBroken: [
      'Este enlace está incompleto',
      'Ábralo otra vez desde el mensaje o copie el enlace completo en la barra de direcciones.',
    ],
    gone: ['Pregunta no encontrada', 'Puede que se haya eliminado. Pregunte al remitente del enlace.'],
    unreachable: ['Sin conexión', 'No se puede contactar con el servidor. Esta página lo reintenta automáticamente.'],
  },
};

const fr: Words = {
  asks: (requester) => `${requester} demande`,
  you: (name) => `Vous répondez en tant que ${name}`,
  yourAnswer: (name) => `Votre réponse en tant que ${name}`,
  reason: 'Motif',
  allow: 'Autoriser',
  deny: 'Interdire',
  heading: 'Une question attend votre réponse',
  retry: 'Réessayer',
  offline: 'Pas de connexion. Votre réponse est enregistrée ici.',
  states: {
    sent: ['Merci', 'Votre réponse a été reçue. Vous pouvez fermer cette page.'],
    answered: ['Déjà répondu', 'Cette question a déjà reçu une réponse. Vous n’avez rien à faire.'],
    declined: ['Refusée', 'Cette question a été refusée. Vous n’avez rien à faire.'],
    expired: ['Expirée', 'Le délai pour répondre à cette question est écoulé.'],
    cancelled: ['Annulée', 'Une réponse n’est plus nécessaire.'],
    linkOver: [
      'Ce lien a expiré',
      'Les liens ont une durée limitée. La question est peut-être encore ouverte\u00a0: demandez un nouveau lien à l’expéditeur.',
    ],
    linkBroken: [
      'Ce lien est incomplet',
      'Ouvrez-le à nouveau depuis le message, ou copiez le lien entier dans la barre d’adresse.',
    ],
    gone: ['Question introuvable', 'Elle a peut-être été supprimée. Contactez l’expéditeur du lien.'],
    unreachable: [
      'Pas de connexion',
      'Le serveur est injoignable pour le moment. Cette page réessaie automatiquement.',
    ],
  },
};

const ja: Words = {
  asks: (requester) => `${requester} からの質問`,
  you: (name) => `${name} として回答します`,
  yourAnswer: (name) => `${name} としての回答`,
  reason: '理由',
  allow: '許可する',
  deny: '拒否する',
  heading: 'あなたの回答を待っている質問があります',
  retry: '再試行',
  offline: '接続がありません。回答はここに保存されています。',
  states: {
    sent: ['ありがとうございます', '回答を受け付けました。このページを閉じてもかまいません。'],
    answered: ['回答済みです', 'この質問はすでに回答されています。対応は不要です。'],
    declined: ['辞退されました', 'この質問は辞退されました。対応は不要です。'],
    expired: ['期限切れです', 'この質問の回答期限は過ぎました。'],
    cancelled: ['キャンセルされました', 'この質問への回答は不要になりました。'],
    linkOver: [
      'このリンクは期限切れです',
      'リンクには有効期限があります。質問はまだ受付中かもしれません。送信者に新しいリンクを依頼してください。',
    ],
    linkBroken: [
      'このリンクは不完全です',
      'メッセージからもう一度開くか、リンク全体をアドレスバーにコピーしてください。',
    ],
    gone: ['質問が見つかりません', '削除された可能性があります。リンクの送信者に確認してください。'],
    unreachable: ['接続がありません', '現在サーバーに接続できません。このページは自動的に再試行します。'],
  },
};

const zh: Words = {
  asks: (requester) => `${requester} 提问`,
  you: (name) => `您以 ${name} 的身份回答`,
  yourAnswer: (name) => `您以 ${name} 的身份作出的回答`,
  reason: '原因',
  allow: '允许',
  deny: '拒绝',
  heading: '有一个问题在等您回答',
  retry: '重试',
  offline: '没有网络连接。您的回答已保存在此处。',
  states: {
    sent: ['谢谢', '已收到您的回答。您可以关闭此页面。'],
    answered: ['已回答', '已有人回答此问题。您无需再做任何操作。'],
    declined: ['已拒绝', '此问题已被拒绝。您无需再做任何操作。'],
    expired: ['已过期', '回答此问题的期限已过。'],
    cancelled: ['已取消', '不再需要回答。'],
    linkOver: ['此链接已过期', '链接仅在一段时间内有效。问题可能仍待回答，请向发送者索取新链接。'],
    linkBroken: ['此链接不完整', '请从消息中重新打开，或将完整链接复制到地址栏。'],
    gone: ['未找到该问题', '它可能已被删除。请联系链接的发送者。'],
    unreachable: ['没有网络连接', '暂时无法连接到服务器。此页面会自动重试。'],
  },
};

const ar: Words = {
  asks: (requester) => `يسأل ${requester}`,
  you: (name) => `تجيب باسم ${name}`,
  yourAnswer: (name) => `إجابتك باسم ${name}`,
  reason: 'السبب',
  allow: 'السماح',
  deny: 'المنع',
  heading: 'سؤال ينتظر إجابتك',
  retry: 'إعادة المحاولة',
  offline: 'لا يوجد اتصال. إجابتك محفوظة هنا.',
  states: {
    sent: ['شكرًا لك', 'استلمنا إجابتك. يمكنك إغلاق هذه الصفحة.'],
    answered: ['تمت الإجابة', 'تمت الإجابة عن هذا السؤال. لا يلزمك فعل أي شيء.'],
    declined: ['مرفوض', 'رُفض هذا السؤال. لا يلزمك فعل أي شيء.'],
    expired: ['انتهت المهلة', 'انتهت مهلة الإجابة عن هذا السؤال.'],
    cancelled: ['أُلغي السؤال', 'لم تعد هناك حاجة إلى إجابة.'],
    linkOver: [
      'انتهت صلاحية هذا الرابط',
      'تعمل الروابط لمدة محدودة. قد يكون السؤال ما زال مفتوحًا: اطلب رابطًا جديدًا من المرسل.',
    ],
    linkBroken: ['هذا الرابط غير مكتمل', 'افتحه مرة أخرى من الرسالة، أو انسخ الرابط كاملًا إلى شريط العنوان.'],
    gone: ['لم يُعثر على السؤال', 'ربما حُذف. تواصل مع مرسل الرابط.'],
    unreachable: ['لا يوجد اتصال', 'لا يمكن الوصول إلى الخادم الآن. تعيد هذه الصفحة المحاولة تلقائيًا.'],
  },
};

const languages: Record<string, Words> = { ar, de, en, es, fr, ja, zh };

/** The words for a locale such as `de-AT`, in English if there is no translation. */
export function wordsFor(locale: string): { language: string; words: Words } {
  const language = locale.toLowerCase().split('-')[0] ?? '';
  const words = languages[language];
  return words ? { language, words } : { language: 'en', words: en };
}
