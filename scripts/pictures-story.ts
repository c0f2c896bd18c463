/** The story of the pictures: an agent prepares a release and people decide about it, in two languages. */

const minutes = (count: number) => new Date(Date.now() + count * 60_000).toISOString();
const due = (count: number) => ({ at: minutes(count), outcome: 'expire' });
const marked = (text: string) => ({ blocks: [{ type: 'message', payload: { text, format: 'markdown' } }] });

export const conversation = [
  { role: 'user', text: 'Is 4.2 ready to go out today?' },
  {
    role: 'agent',
    ...marked(
      'Nearly. Build **4711** passed all 812 checks, and staging has run it since Friday:\n\n- error rate **0.02 %**, as before\n- checkout is 40 ms faster\n\nIt needs one migration, about 40 seconds, in which refunds wait.',
    ),
  },
  { role: 'user', text: 'Start small and watch the error rate.' },
  { role: 'agent', ...marked('I will begin with a tenth of the traffic. Three things I cannot decide alone:') },
];

export const deploy = () => ({
  kind: 'approval',
  title: 'Deploy payments 4.2 to production?',
  arguments: { service: 'payments', build: '4711', percent: 10 },
  fields: [
    {
      type: 'number',
      name: 'percent',
      label: 'Share of the traffic, in percent',
      required: true,
      min: 1,
      max: 100,
      integer: true,
    },
  ],
  recommendations: { percent: 10 },
  deadline: due(25),
});

export const window = () => ({
  title: 'When may refunds wait for 40 seconds?',
  options: [
    { value: 'night', label: 'Tonight at 02:00', variant: 'primary', recommended: true },
    { value: 'now', label: 'Right away' },
    { value: 'sunday', label: 'On Sunday' },
  ],
  deadline: due(180),
});

export const announce = () => ({
  title: 'Announce the release',
  submitLabel: 'Publish',
  fields: [
    { type: 'text', name: 'headline', label: 'Headline', required: true, placeholder: 'Faster checkout' },
    { type: 'email', name: 'contact', label: 'Who answers questions', required: true },
    { type: 'date', name: 'day', label: 'Day', required: true },
    {
      type: 'radio',
      name: 'audience',
      label: 'Send release notes to',
      required: true,
      options: [
        { value: 'all', label: 'Everybody' },
        { value: 'merchants', label: 'Merchants', description: '1,240 shops that take refunds' },
      ],
    },
    { type: 'rating', name: 'risk', label: 'How sure are you of it?', maxStars: 5 },
  ],
});

export const waiting = () => [
  { ...deploy(), deadline: due(8) },
  { ...approval('Rotate the signing key of webhooks', { key: 'whsec-2025', overlap: '24 hours' }), deadline: due(50) },
  { ...window(), deadline: due(180) },
  { ...approval('Refund order 20418 in full', { amount: '€ 184.00', reason: 'Lost in the post' }), deadline: due(600) },
  { ...approval('Give Jonas read access to the audit log', { person: 'Jonas Weber', until: 'Friday' }) },
  announce(),
];

function approval(title: string, args: Record<string, unknown>) {
  return { kind: 'approval', title, arguments: args };
}

export const arabicConversation = [
  { role: 'user', text: 'هل الإصدار 4.2 جاهز اليوم؟' },
  {
    role: 'agent',
    ...marked(
      'تقريبًا. نجحت النسخة **4711** في جميع الفحوص، وعددها 812، وهي تعمل في بيئة الاختبار منذ الجمعة بلا أخطاء.',
    ),
  },
  { role: 'agent', ...marked('سأبدأ بعُشر الزيارات. أحتاج إلى قرارك في أمرين:') },
];

export const arabicQuestions = () => [
  {
    kind: 'approval',
    title: 'هل يُنشر الإصدار 4.2 في بيئة الإنتاج؟',
    options: [
      { value: 'allow', label: 'سماح', kind: 'allow_once', variant: 'primary' },
      { value: 'deny', label: 'منع', kind: 'reject_once', variant: 'danger' },
    ],
    arguments: { الخدمة: 'المدفوعات', النسخة: '4711' },
    fields: [{ type: 'number', name: 'percent', label: 'نسبة الزيارات', required: true, min: 1, max: 100 }],
    recommendations: { percent: 10 },
    deadline: due(25),
  },
  {
    title: 'متى يمكن إيقاف المبالغ المستردة أربعين ثانية؟',
    options: [
      { value: 'night', label: 'الليلة عند الثانية', variant: 'primary', recommended: true },
      { value: 'now', label: 'الآن' },
    ],
    deadline: due(180),
  },
];
