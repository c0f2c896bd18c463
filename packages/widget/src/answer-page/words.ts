/** The texts of the page that a link opens, in every language of the widget. */
const en = {
  heading: 'A question is waiting for your answer',
  retry: 'Try again',
  offline: 'No connection. Your answer is saved here.',
  states: {
    sent: { title: 'Thank you', text: 'Your answer was received. You can close this page.' },
    answered: {
      title: 'Already answered',
      text: 'This question was answered. You do not need to do anything.',
    },
    declined: { title: 'Declined', text: 'This question was declined. You do not need to do anything.' },
    expired: { title: 'Expired', text: 'The deadline for this question has passed.' },
    cancelled: { title: 'Cancelled', text: 'An answer is no longer needed.' },
    linkOver: {
      title: 'This link has expired',
      text: 'Links work for a limited time. The question may still be open: ask the sender for a new link.',
    },
    linkBroken: {
      title: 'This link is incomplete',
      text: 'Open it again from the message, or copy the whole link into the address bar.',
    },
    gone: { title: 'Question not found', text: 'It may have been deleted. Ask the sender of the link.' },
    unreachable: {
      title: 'No connection',
      text: 'The server cannot be reached right now. This page retries automatically.',
    },
  },
};

export type Words = typeof en;

/** The states that the page shows instead of a question. */
export type PageState = keyof Words['states'];

const de: Words = {
  heading: 'Eine Frage wartet auf Ihre Antwort',
  retry: 'Erneut versuchen',
  offline: 'Keine Verbindung. Ihre Antwort ist hier gespeichert.',
  states: {
    sent: { title: 'Danke', text: 'Ihre Antwort ist angekommen. Sie können diese Seite schließen.' },
    answered: {
      title: 'Bereits beantwortet',
      text: 'Diese Frage wurde bereits beantwortet. Sie müssen nichts weiter tun.',
    },
    declined: { title: 'Abgelehnt', text: 'Diese Frage wurde abgelehnt. Sie müssen nichts weiter tun.' },
    expired: { title: 'Abgelaufen', text: 'Die Frist für diese Frage ist abgelaufen.' },
    cancelled: { title: 'Zurückgezogen', text: 'Eine Antwort wird nicht mehr benötigt.' },
    linkOver: {
      title: 'Dieser Link ist abgelaufen',
      text: 'Links sind nur begrenzt gültig. Vielleicht ist die Frage noch offen: Bitten Sie den Absender um einen neuen Link.',
    },
    linkBroken: {
      title: 'Dieser Link ist unvollständig',
      text: 'Öffnen Sie ihn erneut aus der Nachricht oder kopieren Sie den ganzen Link in die Adresszeile.',
    },
    gone: {
      title: 'Frage nicht gefunden',
      text: 'Sie wurde vielleicht gelöscht. Fragen Sie den Absender des Links.',
    },
    unreachable: {
      title: 'Keine Verbindung',
      text: 'Der Server ist gerade nicht erreichbar. Diese Seite versucht es automatisch erneut.',
    },
  },
};

const es: Words = {
  heading: 'Una pregunta espera su respuesta',
  retry: 'Reintentar',
  offline: 'Sin conexión. Su respuesta está guardada aquí.',
  states: {
    sent: { title: 'Gracias', text: 'Hemos recibido su respuesta. Puede cerrar esta página.' },
    answered: { title: 'Ya respondida', text: 'Esta pregunta ya se ha respondido. No tiene que hacer nada más.' },
    declined: { title: 'Rechazada', text: 'Esta pregunta se ha rechazado. No tiene que hacer nada más.' },
    expired: { title: 'Caducada', text: 'El plazo para responder a esta pregunta ha terminado.' },
    cancelled: { title: 'Cancelada', text: 'Ya no se necesita una respuesta.' },
    linkOver: {
      title: 'Este enlace ha caducado',
      text: 'Los enlaces funcionan durante un tiempo limitado. Puede que la pregunta siga abierta: pida un enlace nuevo al remitente.',
    },
    linkBroken: {
      title: 'Este enlace está incompleto',
      text: 'Ábralo otra vez desde el mensaje o copie el enlace completo en la barra de direcciones.',
    },
    gone: {
      title: 'Pregunta no encontrada',
      text: 'Puede que se haya eliminado. Pregunte al remitente del enlace.',
    },
    unreachable: {
      title: 'Sin conexión',
      text: 'No se puede contactar con el servidor. Esta página lo reintenta automáticamente.',
    },
  },
};

const fr: Words = {
  heading: 'Une question attend votre réponse',
  retry: 'Réessayer',
  offline: 'Pas de connexion. Votre réponse est enregistrée ici.',
  states: {
    sent: { title: 'Merci', text: 'Votre réponse a été reçue. Vous pouvez fermer cette page.' },
    answered: { title: 'Déjà répondu', text: 'Cette question a déjà reçu une réponse. Vous n’avez rien à faire.' },
    declined: { title: 'Refusée', text: 'Cette question a été refusée. Vous n’avez rien à faire.' },
    expired: { title: 'Expirée', text: 'Le délai pour répondre à cette question est écoulé.' },
    cancelled: { title: 'Annulée', text: 'Une réponse n’est plus nécessaire.' },
    linkOver: {
      title: 'Ce lien a expiré',
      text: 'Les liens ont une durée limitée. La question est peut-être encore ouverte\u00a0: demandez un nouveau lien à l’expéditeur.',
    },
    linkBroken: {
      title: 'Ce lien est incomplet',
      text: 'Ouvrez-le à nouveau depuis le message, ou copiez le lien entier dans la barre d’adresse.',
    },
    gone: {
      title: 'Question introuvable',
      text: 'Elle a peut-être été supprimée. Contactez l’expéditeur du lien.',
    },
    unreachable: {
      title: 'Pas de connexion',
      text: 'Le serveur est injoignable pour le moment. Cette page réessaie automatiquement.',
    },
  },
};

const ja: Words = {
  heading: 'あなたの回答を待っている質問があります',
  retry: '再試行',
  offline: '接続がありません。回答はここに保存されています。',
  states: {
    sent: { title: 'ありがとうございます', text: '回答を受け付けました。このページを閉じてもかまいません。' },
    answered: { title: '回答済みです', text: 'この質問はすでに回答されています。対応は不要です。' },
    declined: { title: '辞退されました', text: 'この質問は辞退されました。対応は不要です。' },
    expired: { title: '期限切れです', text: 'この質問の回答期限は過ぎました。' },
    cancelled: { title: 'キャンセルされました', text: 'この質問への回答は不要になりました。' },
    linkOver: {
      title: 'このリンクは期限切れです',
      text: 'リンクには有効期限があります。質問はまだ受付中かもしれません。送信者に新しいリンクを依頼してください。',
    },
    linkBroken: {
      title: 'このリンクは不完全です',
      text: 'メッセージからもう一度開くか、リンク全体をアドレスバーにコピーしてください。',
    },
    gone: { title: '質問が見つかりません', text: '削除された可能性があります。リンクの送信者に確認してください。' },
    unreachable: {
      title: '接続がありません',
      text: '現在サーバーに接続できません。このページは自動的に再試行します。',
    },
  },
};

const zh: Words = {
  heading: '有一个问题在等您回答',
  retry: '重试',
  offline: '没有网络连接。您的回答已保存在此处。',
  states: {
    sent: { title: '谢谢', text: '已收到您的回答。您可以关闭此页面。' },
    answered: { title: '已回答', text: '已有人回答此问题。您无需再做任何操作。' },
    declined: { title: '已拒绝', text: '此问题已被拒绝。您无需再做任何操作。' },
    expired: { title: '已过期', text: '回答此问题的期限已过。' },
    cancelled: { title: '已取消', text: '不再需要回答。' },
    linkOver: { title: '此链接已过期', text: '链接仅在一段时间内有效。问题可能仍待回答，请向发送者索取新链接。' },
    linkBroken: { title: '此链接不完整', text: '请从消息中重新打开，或将完整链接复制到地址栏。' },
    gone: { title: '未找到该问题', text: '它可能已被删除。请联系链接的发送者。' },
    unreachable: { title: '没有网络连接', text: '暂时无法连接到服务器。此页面会自动重试。' },
  },
};

const ar: Words = {
  heading: 'سؤال ينتظر إجابتك',
  retry: 'إعادة المحاولة',
  offline: 'لا يوجد اتصال. إجابتك محفوظة هنا.',
  states: {
    sent: { title: 'شكرًا لك', text: 'استلمنا إجابتك. يمكنك إغلاق هذه الصفحة.' },
    answered: { title: 'تمت الإجابة', text: 'تمت الإجابة عن هذا السؤال. لا يلزمك فعل أي شيء.' },
    declined: { title: 'مرفوض', text: 'رُفض هذا السؤال. لا يلزمك فعل أي شيء.' },
    expired: { title: 'انتهت المهلة', text: 'انتهت مهلة الإجابة عن هذا السؤال.' },
    cancelled: { title: 'أُلغي السؤال', text: 'لم تعد هناك حاجة إلى إجابة.' },
    linkOver: {
      title: 'انتهت صلاحية هذا الرابط',
      text: 'تعمل الروابط لمدة محدودة. قد يكون السؤال ما زال مفتوحًا: اطلب رابطًا جديدًا من المرسل.',
    },
    linkBroken: {
      title: 'هذا الرابط غير مكتمل',
      text: 'افتحه مرة أخرى من الرسالة، أو انسخ الرابط كاملًا إلى شريط العنوان.',
    },
    gone: { title: 'لم يُعثر على السؤال', text: 'ربما حُذف. تواصل مع مرسل الرابط.' },
    unreachable: { title: 'لا يوجد اتصال', text: 'لا يمكن الوصول إلى الخادم الآن. تعيد هذه الصفحة المحاولة تلقائيًا.' },
  },
};

const languages: Record<string, Words> = { ar, de, en, es, fr, ja, zh };

/** The words for a locale such as `de-AT`, in English if there is no translation. */
export function wordsFor(locale: string): { language: string; words: Words } {
  const language = locale.toLowerCase().split('-')[0] ?? '';
  const words = languages[language];
  return words ? { language, words } : { language: 'en', words: en };
}
