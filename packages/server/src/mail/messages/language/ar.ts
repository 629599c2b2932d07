/** Arabic. */
import type { MailMessages } from './en.ts'

const wasNotYou =
  'إذا لم تكن أنت من فعل ذلك، فغيّر كلمة المرور الآن وأنهِ كل جلسة لا تعرفها. يمكنك فعل الأمرين في صفحة حسابك.'

export const ar: MailMessages = {
  account: 'الحساب',
  app: 'التطبيق',
  message: 'الرسالة',
  when: 'الوقت',
  device: 'الجهاز',
  address: 'العنوان',
  unknownDevice: 'غير معروف',
  unknownAddress: 'غير معروف',
  labelled: (label, value) => `${label}: ${value}`,
  orOpen: 'أو افتح هذا العنوان:',
  yourAccount: 'حسابك',
  footer: (service) => `وصلتك هذه الرسالة لأن لديك حسابًا في ${service}. لا تُقرأ الردود عليها.`,
  kinds: {
    reset: {
      subject: ({ service }) => `اختيار كلمة مرور جديدة في ${service}`,
      title: 'اختيار كلمة مرور جديدة',
      lead: ({ service }) => `طلب شخص ما، على الأرجح أنت، كلمة مرور جديدة في ${service}.`,
      button: 'اختيار كلمة مرور جديدة',
      linkNote: 'يعمل الرابط مرة واحدة خلال 30 دقيقة. ويحل محله أي رابط أحدث.',
      notYou: 'إذا لم تطلب ذلك، فلا تفعل شيئًا: تبقى كلمة المرور كما هي. لا تُعد توجيه الرابط أبدًا.',
    },
    address: {
      subject: ({ service }) => `تأكيد عنوانك في ${service}`,
      title: 'تأكيد عنوانك',
      lead: ({ service }) => `أُدخل هذا العنوان لحساب في ${service}. أكّده إذا كان الحساب حسابك.`,
      button: 'تأكيد العنوان',
      linkNote: 'يعمل الرابط مرة واحدة خلال 24 ساعة، ويطلب منك تسجيل الدخول إلى ذلك الحساب.',
      notYou: 'إذا لم يكن الحساب حسابك، فلا تفعل شيئًا: لن يُستخدم العنوان.',
    },
    address_changed: {
      subject: ({ service }) => `تم تغيير عنوانك في ${service}`,
      title: 'تم تغيير عنوانك',
      lead: ({ service }) =>
        `تم تأكيد عنوان آخر لحسابك في ${service}. من الآن فصاعدًا تصل الرسائل إلى هناك ولا تصل إلى هنا.`,
      notYou: wasNotYou,
    },
    password_changed: {
      subject: ({ service }) => `تم تغيير كلمة المرور في ${service}`,
      title: 'تم تغيير كلمة المرور',
      lead: ({ service }) => `تم تغيير كلمة مرور حسابك في ${service}، وأُنهيت الجلسات الأخرى.`,
      notYou:
        'إذا لم تكن أنت من فعل ذلك، فاطلب الآن كلمة مرور جديدة في صفحة تسجيل الدخول، وأبلغ القائمين على هذه الخدمة.',
    },
    signed_in: {
      subject: ({ service }) => `تسجيل دخول جديد إلى ${service}`,
      title: 'تسجيل دخول جديد',
      lead: ({ service }) => `تم تسجيل الدخول إلى حسابك في ${service} من متصفح غير معروف.`,
      notYou: wasNotYou,
    },
    app_connected: {
      subject: ({ client, service }) => `تم ربط ${client} بحسابك في ${service}`,
      title: 'تم ربط تطبيق',
      lead: ({ client, service }) =>
        `سمحت للتطبيق ${client} بالتصرف نيابةً عنك في ${service}. يمكنك الاطلاع على ما هو مسموح له وسحبه في صفحة حسابك.`,
      notYou: 'إذا لم تكن أنت من فعل ذلك، فأزل التطبيق الآن في صفحة حسابك وغيّر كلمة المرور.',
    },
    access_requested: {
      subject: ({ client, service }) => `يطلب ${client} إذن الوصول في ${service}`,
      title: 'تطبيق يطلب إذن الوصول',
      lead: ({ client, service }) =>
        `يطلب ${client} التصرف نيابةً عنك في ${service}. اطّلع على ما يطلبه في صفحة حسابك، واسمح به أو ارفضه هناك.`,
      button: 'الاطلاع على الطلب',
      linkNote: 'ينتظر الطلب بضع دقائق فقط.',
      notYou:
        'إذا لم تبدأ هذا بنفسك، فارفضه أو لا تفعل شيئًا: لا يُسمح بأي شيء من دونك. لا ينبغي لأي شخص يتصل بك أو يراسلك أن يطلب منك السماح به.',
    },
    factor_added: {
      subject: ({ service }) => `أُضيفت طريقة لتسجيل الدخول في ${service}`,
      title: 'أُضيفت طريقة لتسجيل الدخول',
      lead: ({ service }) => `يمكن الآن تسجيل الدخول إلى حسابك في ${service} بطريقة أخرى.`,
      notYou: wasNotYou,
    },
    factor_removed: {
      subject: ({ service }) => `أُزيلت طريقة لتسجيل الدخول في ${service}`,
      title: 'أُزيلت طريقة لتسجيل الدخول',
      lead: ({ service }) => `أُزيلت إحدى طرق تسجيل الدخول إلى حسابك في ${service}.`,
      notYou: wasNotYou,
    },
    recovery_code_used: {
      subject: ({ service }) => `استُخدم رمز استرداد في ${service}`,
      title: 'استُخدم رمز استرداد',
      lead: ({ service }) =>
        `سجّل شخص ما الدخول إلى حسابك في ${service} بأحد رموز الاسترداد الخاصة بك. لم يعد ذلك الرمز صالحًا.`,
      notYou: wasNotYou,
    },
    test: {
      subject: ({ service }) => `رسالة تجريبية من ${service}`,
      title: 'كل شيء يعمل',
      lead: ({ service }) => `خدمة ${service} قادرة على إرسال البريد الإلكتروني. طلب أحد القائمين عليها هذه الرسالة.`,
      notYou: 'لا يلزمك فعل أي شيء.',
    },
  },
}
