/** Simplified Chinese: making an account, agreeing to terms, the profile, and the end of an account. */
import type { accounts as english } from '../en/accounts.ts'

export const accounts: typeof english = {
  signUp: {
    link: '创建帐号',
    title: '创建帐号',
    lead: '我们会向您的电子邮件地址发送链接。打开链接后即创建帐号。',
    email: '电子邮件地址',
    submit: '发送链接',
    domain: '此处仅允许特定组织的地址创建帐号。',
    sent: '电子邮件已发送到该地址。其中的链接只能使用一次，24 小时内有效。',
    sentHint: '没有收到？请查看垃圾邮件，或检查地址的写法。',
  },
  newAccount: {
    title: '您的新帐号',
    lead: (email) => `用于 ${email}`,
    name: '您的姓名',
    submit: '创建帐号',
    unreadable: '请填写可读的姓名，不超过 200 个字符。',
    gone: '它已被使用、时间过久，或已有更新的链接发出。如果您已有帐号，请登录。',
  },
  terms: {
    title: '使用条款',
    lead: '要继续，请阅读并同意使用条款。',
    read: (version) => `阅读使用条款，版本 ${version}`,
    agree: '我同意使用条款',
    submit: '同意并继续',
    required: '要继续，您必须同意使用条款。',
  },
  profile: {
    lead: '您允许时，应用可以了解的关于您的信息。',
    given: '名',
    family: '姓',
    locale: '语言',
    zone: '时区',
    picture: '图片',
    pictureHint: '一个 https 地址。',
    submit: '保存',
    invalid: '无法这样保存。',
  },
  ownData: {
    lead: '关于您所保存的内容，以及如何终止。',
    downloadTitle: '下载您的数据',
    downloadLead: '关于您所保存的一切，放在一个 JSON 文件中。其中不含密码和密钥。',
    download: '下载',
    deleteTitle: '删除您的帐号',
    deleteLead: (date) =>
      `您会立即在所有地方退出登录，所有应用都会失去访问权限。在 ${date} 之前，您可以通过登录恢复。此后，您的帐号和关于您所保存的一切将被永久删除。`,
    submit: '删除我的帐号',
    stale: '您的登录时间过久，无法执行此操作。请退出后重新登录，然后回到这里。',
    lastOwner: '您是这里的最后一位所有者。请先指定另一位所有者。',
    deletedTitle: '您的帐号将被删除',
    deleted: (date) => `它将于 ${date} 被永久删除。要保留它，请在此之前登录。`,
  },
}
