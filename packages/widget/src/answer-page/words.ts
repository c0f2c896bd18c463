/** What the page of a link says by itself, in every language that the widget speaks. */
export interface Words {
  heading: string;
  retry: string;
  offline: string;
  states: Record<PageState, { title: string; text: string }>;
}

/** Everything that can be the case instead of a question to answer. */
export type PageState =
  | 'sent'
  | 'answered'
  | 'declined'
  | 'expired'
  | 'cancelled'
  | 'linkOver'
  | 'linkBroken'
  | 'gone'
  | 'unreachable';

const en: Words = {
  heading: 'A question is waiting for your answer',
  retry: 'Try again',
  offline: 'No connection. What you enter is kept.',
  states: {
    sent: { title: 'Thank you', text: 'Your answer has arrived. You can close this page.' },
    answered: { title: 'Already answered', text: 'This question has been answered. There is nothing left to do.' },
    declined: { title: 'Declined', text: 'This question was declined. There is nothing left to do.' },
    expired: { title: 'Too late', text: 'The time to answer this question is over.' },
    cancelled: { title: 'Withdrawn', text: 'Whoever asked does not need an answer any more.' },
    linkOver: {
      title: 'This link has expired',
      text: 'Links work for a limited time. Ask whoever sent it to you for a new one; the question may still be waiting.',
    },
    linkBroken: {
      title: 'This link is not complete',
      text: 'Open it from the message again, or copy all of it into the address bar.',
    },
    gone: { title: 'No such question', text: 'It may have been removed. Ask whoever sent you the link.' },
    unreachable: {
      title: 'No connection',
      text: 'The server cannot be reached just now. This page tries again by itself.',
    },
  },
};

const de: Words = {
  heading: 'Eine Frage wartet auf Ihre Antwort',
  retry: 'Noch einmal versuchen',
  offline: 'Keine Verbindung. Was Sie eingeben, bleibt erhalten.',
  states: {
    sent: { title: 'Danke', text: 'Ihre Antwort ist angekommen. Sie können diese Seite schließen.' },
    answered: { title: 'Schon beantwortet', text: 'Diese Frage wurde beantwortet. Es ist nichts mehr zu tun.' },
    declined: { title: 'Abgelehnt', text: 'Diese Frage wurde abgelehnt. Es ist nichts mehr zu tun.' },
    expired: { title: 'Zu spät', text: 'Die Zeit für eine Antwort ist vorbei.' },
    cancelled: { title: 'Zurückgezogen', text: 'Es wird keine Antwort mehr gebraucht.' },
    linkOver: {
      title: 'Dieser Link ist abgelaufen',
      text: 'Links gelten nur eine Zeit lang. Bitten Sie um einen neuen; vielleicht wartet die Frage noch.',
    },
    linkBroken: {
      title: 'Dieser Link ist nicht vollständig',
      text: 'Öffnen Sie ihn noch einmal aus der Nachricht, oder kopieren Sie ihn ganz in die Adresszeile.',
    },
    gone: {
      title: 'Keine solche Frage',
      text: 'Vielleicht wurde sie entfernt. Fragen Sie, wer Ihnen den Link geschickt hat.',
    },
    unreachable: {
      title: 'Keine Verbindung',
      text: 'Der Server ist gerade nicht erreichbar. Diese Seite versucht es von selbst wieder.',
    },
  },
};

const es: Words = {
  heading: 'Una pregunta espera su respuesta',
  retry: 'Intentar de nuevo',
  offline: 'Sin conexión. Lo que escriba se conserva.',
  states: {
    sent: { title: 'Gracias', text: 'Su respuesta ha llegado. Puede cerrar esta página.' },
    answered: { title: 'Ya respondida', text: 'Esta pregunta ya fue respondida. No queda nada por hacer.' },
    declined: { title: 'Rechazada', text: 'Esta pregunta fue rechazada. No queda nada por hacer.' },
    expired: { title: 'Demasiado tarde', text: 'El plazo para responder a esta pregunta ha terminado.' },
    cancelled: { title: 'Retirada', text: 'Quien preguntó ya no necesita una respuesta.' },
    linkOver: {
      title: 'Este enlace ha caducado',
      text: 'Los enlaces sirven por un tiempo limitado. Pida uno nuevo a quien se lo envió; puede que la pregunta siga abierta.',
    },
    linkBroken: {
      title: 'Este enlace no está completo',
      text: 'Ábralo otra vez desde el mensaje o cópielo entero en la barra de direcciones.',
    },
    gone: {
      title: 'No existe esa pregunta',
      text: 'Puede que se haya eliminado. Pregunte a quien le envió el enlace.',
    },
    unreachable: {
      title: 'Sin conexión',
      text: 'No se puede contactar con el servidor. Esta página vuelve a intentarlo por sí sola.',
    },
  },
};

const fr: Words = {
  heading: 'Une question attend votre réponse',
  retry: 'Réessayer',
  offline: 'Pas de connexion. Ce que vous saisissez est conservé.',
  states: {
    sent: { title: 'Merci', text: 'Votre réponse est arrivée. Vous pouvez fermer cette page.' },
    answered: { title: 'Déjà répondu', text: 'Cette question a reçu une réponse. Il n’y a plus rien à faire.' },
    declined: { title: 'Refusée', text: 'Cette question a été refusée. Il n’y a plus rien à faire.' },
    expired: { title: 'Trop tard', text: 'Le délai pour répondre à cette question est passé.' },
    cancelled: { title: 'Retirée', text: 'La personne qui a posé la question n’attend plus de réponse.' },
    linkOver: {
      title: 'Ce lien a expiré',
      text: 'Les liens ne durent qu’un temps. Demandez-en un nouveau ; la question attend peut-être encore.',
    },
    linkBroken: {
      title: 'Ce lien n’est pas complet',
      text: 'Ouvrez-le à nouveau depuis le message, ou copiez-le en entier dans la barre d’adresse.',
    },
    gone: {
      title: 'Cette question n’existe pas',
      text: 'Elle a peut-être été supprimée. Demandez à qui vous a envoyé le lien.',
    },
    unreachable: {
      title: 'Pas de connexion',
      text: 'Le serveur est injoignable pour le moment. Cette page réessaie d’elle-même.',
    },
  },
};

const ja: Words = {
  heading: 'あなたの回答を待っている質問があります',
  retry: 'もう一度試す',
  offline: '接続がありません。入力した内容は保存されます。',
  states: {
    sent: { title: 'ありがとうございます', text: '回答が届きました。このページを閉じてもかまいません。' },
    answered: { title: '回答済みです', text: 'この質問にはすでに回答がありました。することはありません。' },
    declined: { title: '辞退されました', text: 'この質問は辞退されました。することはありません。' },
    expired: { title: '期限切れです', text: 'この質問に回答できる期限は過ぎました。' },
    cancelled: { title: '取り下げられました', text: 'この質問への回答は不要になりました。' },
    linkOver: {
      title: 'このリンクは期限切れです',
      text: 'リンクには有効期限があります。送り主に新しいリンクを頼んでください。質問はまだ待っているかもしれません。',
    },
    linkBroken: {
      title: 'このリンクは不完全です',
      text: 'メッセージからもう一度開くか、アドレスバーに全体をコピーしてください。',
    },
    gone: { title: 'この質問はありません', text: '削除された可能性があります。リンクの送り主に確認してください。' },
    unreachable: { title: '接続がありません', text: '今はサーバーにつながりません。このページは自動で再試行します。' },
  },
};

const zh: Words = {
  heading: '有一个问题在等您回答',
  retry: '重试',
  offline: '没有网络连接。您输入的内容会保留。',
  states: {
    sent: { title: '谢谢', text: '您的回答已送达。您可以关闭此页面。' },
    answered: { title: '已回答', text: '这个问题已经有人回答，无需再做什么。' },
    declined: { title: '已拒绝', text: '这个问题已被拒绝，无需再做什么。' },
    expired: { title: '已过期', text: '回答这个问题的时间已过。' },
    cancelled: { title: '已撤回', text: '提问者不再需要回答。' },
    linkOver: { title: '此链接已失效', text: '链接只在一段时间内有效。请向发送者索取新的链接；问题可能仍在等待回答。' },
    linkBroken: { title: '此链接不完整', text: '请从消息中重新打开，或将完整链接复制到地址栏。' },
    gone: { title: '没有这个问题', text: '它可能已被删除。请询问发送链接的人。' },
    unreachable: { title: '没有网络连接', text: '暂时无法连接到服务器。此页面会自动重试。' },
  },
};

const ar: Words = {
  heading: 'سؤال ينتظر إجابتك',
  retry: 'حاول مرة أخرى',
  offline: 'لا يوجد اتصال. ما تُدخله محفوظ.',
  states: {
    sent: { title: 'شكرًا لك', text: 'وصلت إجابتك. يمكنك إغلاق هذه الصفحة.' },
    answered: { title: 'أُجيب عنه', text: 'أُجيب عن هذا السؤال. لم يبقَ ما تفعله.' },
    declined: { title: 'مرفوض', text: 'رُفض هذا السؤال. لم يبقَ ما تفعله.' },
    expired: { title: 'فات الأوان', text: 'انتهى وقت الإجابة عن هذا السؤال.' },
    cancelled: { title: 'سُحب السؤال', text: 'لم يعد صاحب السؤال بحاجة إلى إجابة.' },
    linkOver: {
      title: 'انتهت صلاحية هذا الرابط',
      text: 'تعمل الروابط لمدة محدودة. اطلب رابطًا جديدًا ممن أرسله؛ فقد يكون السؤال ما زال ينتظر.',
    },
    linkBroken: {
      title: 'هذا الرابط غير مكتمل',
      text: 'افتحه من الرسالة مرة أخرى، أو انسخه كاملًا إلى شريط العنوان.',
    },
    gone: { title: 'لا يوجد سؤال كهذا', text: 'ربما حُذف. اسأل من أرسل إليك الرابط.' },
    unreachable: { title: 'لا يوجد اتصال', text: 'لا يمكن الوصول إلى الخادم الآن. ستحاول هذه الصفحة من جديد.' },
  },
};

const languages: Record<string, Words> = { ar, de, en, es, fr, ja, zh };

/** Without its region; English where it is not written. */
export function wordsFor(locale: string): { language: string; words: Words } {
  const language = locale.toLowerCase().split('-')[0] ?? '';
  const words = languages[language];
  return words ? { language, words } : { language: 'en', words: en };
}
