/** Simplified Chinese. */
import type { MailMessages } from './en.ts'

const wasNotYou = '如果不是您本人所为，请立即更改密码，并结束您不认识的所有会话。您可以在帐号页面完成这两项操作。'

export const zhHans: MailMessages = {
  account: '帐号',
  app: '应用',
  message: '消息',
  when: '时间',
  device: '设备',
  address: '地址',
  unknownDevice: '未知',
  unknownAddress: '未知',
  labelled: (label, value) => `${label}：${value}`,
  orOpen: '或打开此地址：',
  yourAccount: '您的帐号',
  footer: (service) => `您收到此电子邮件，是因为您在 ${service} 拥有帐号。我们不会阅读对此邮件的回复。`,
  strangerFooter: (service) => `您收到此电子邮件，是因为有人向 ${service} 提供了此地址。我们不会阅读对此邮件的回复。`,
  kinds: {
    reset: {
      subject: ({ service }) => `设置 ${service} 的新密码`,
      title: '设置新密码',
      lead: ({ service }) => `有人（很可能是您）在 ${service} 请求了新密码。`,
      button: '设置新密码',
      linkNote: '该链接只能使用一次，30 分钟内有效。更新的链接会取代它。',
      notYou: '如果您没有请求，请不要做任何操作：您的密码保持不变。切勿转发此链接。',
    },
    sign_in_link: {
      subject: ({ service }) => `登录 ${service}`,
      title: '登录',
      lead: ({ service }) => `有人（很可能是您）请求了用于登录 ${service} 的链接。`,
      button: '登录',
      linkNote: '该链接只能在请求它的浏览器中使用一次，10 分钟内有效。',
      notYou: '如果不是您请求的，请忽略：不会有人登录。切勿转发该链接。',
    },
    sign_up: {
      subject: ({ service }) => `创建您在 ${service} 的帐号`,
      title: '创建您的帐号',
      lead: ({ service }) => `有人（可能是您）用此地址请求在 ${service} 创建帐号。`,
      button: '创建帐号',
      linkNote: '该链接只能使用一次，24 小时内有效。更新的链接会取代它。',
      notYou: '如果不是您请求的，请不要做任何操作：不会创建帐号。切勿转发此链接。',
    },
    account_exists: {
      subject: ({ service }) => `您在 ${service} 已有帐号`,
      title: '您已有帐号',
      lead: ({ service }) =>
        `有人（可能是您）用此地址请求在 ${service} 创建帐号，但已有一个。如果您忘记了密码，可以在登录页面设置新密码。`,
      button: '登录',
      notYou: '如果不是您请求的，请不要做任何操作：您的帐号保持不变。',
    },
    invitation: {
      subject: ({ service }) => `邀请您加入 ${service}`,
      title: '您收到邀请',
      lead: ({ service }) => `您受邀在 ${service} 拥有一个帐号。填写姓名并设置密码，它就是您的了。`,
      button: '接受邀请',
      linkNote: '该链接只能使用一次，且仅适用于此地址。',
      notYou: '如果您不知道这是什么，请不要做任何操作：不会创建帐号。切勿转发此链接。',
    },
    deletion_requested: {
      subject: ({ service }) => `您在 ${service} 的帐号将被删除`,
      title: '您的帐号将被删除',
      lead: ({ service }) => `您在 ${service} 的帐号已终止，并将被永久删除。要保留它，请在此之前登录。`,
      notYou: '如果不是您本人操作，请立即登录以保留帐号，并更改密码。',
    },
    deletion_cancelled: {
      subject: ({ service }) => `您在 ${service} 的帐号已保留`,
      title: '您的帐号已保留',
      lead: ({ service }) => `有人登录了您在 ${service} 将被删除的帐号。该帐号已保留。`,
      notYou: wasNotYou,
    },
    address: {
      subject: ({ service }) => `确认您在 ${service} 的地址`,
      title: '确认您的地址',
      lead: ({ service }) => `有人为 ${service} 的一个帐号填写了此地址。如果该帐号是您的，请确认。`,
      button: '确认地址',
      linkNote: '该链接只能使用一次，24 小时内有效，并会要求您登录该帐号。',
      notYou: '如果该帐号不是您的，请不要做任何操作：此地址不会被使用。',
    },
    address_changed: {
      subject: ({ service }) => `您在 ${service} 的地址已更改`,
      title: '您的地址已更改',
      lead: ({ service }) =>
        `您在 ${service} 的帐号已确认了另一个地址。从现在起，电子邮件将发送到该地址，不再发送到此处。`,
      notYou: wasNotYou,
    },
    password_changed: {
      subject: ({ service }) => `您在 ${service} 的密码已更改`,
      title: '您的密码已更改',
      lead: ({ service }) => `您在 ${service} 的帐号密码已更改，其他会话已结束。`,
      notYou: '如果不是您本人所为，请立即在登录页面请求新密码，并告知此服务的管理者。',
    },
    signed_in: {
      subject: ({ service }) => `${service} 有新的登录`,
      title: '新的登录',
      lead: ({ service }) => `有人从一个未曾使用过的浏览器登录了您在 ${service} 的帐号。`,
      notYou: wasNotYou,
    },
    app_connected: {
      subject: ({ client, service }) => `${client} 已连接到您在 ${service} 的帐号`,
      title: '已连接一个应用',
      lead: ({ client, service }) =>
        `您已允许 ${client} 在 ${service} 代表您操作。您可以在帐号页面查看它的权限，并将其撤销。`,
      notYou: '如果不是您本人所为，请立即在帐号页面移除该应用，并更改密码。',
    },
    access_requested: {
      subject: ({ client, service }) => `${client} 在 ${service} 请求访问权限`,
      title: '有应用请求访问权限',
      lead: ({ client, service }) =>
        `${client} 请求在 ${service} 代表您操作。请在帐号页面查看请求的内容，并在那里允许或拒绝。`,
      button: '查看请求',
      linkNote: '该请求只等待几分钟。',
      notYou:
        '如果不是您发起的，请拒绝，或不做任何操作：未经您同意，不会允许任何操作。任何给您打电话或发消息的人都不应要求您允许。',
    },
    factor_added: {
      subject: ({ service }) => `${service} 已添加登录方式`,
      title: '已添加登录方式',
      lead: ({ service }) => `现在可以用另一种方式登录您在 ${service} 的帐号。`,
      notYou: wasNotYou,
    },
    factor_removed: {
      subject: ({ service }) => `${service} 已移除登录方式`,
      title: '已移除登录方式',
      lead: ({ service }) => `您在 ${service} 的帐号的一种登录方式已被移除。`,
      notYou: wasNotYou,
    },
    recovery_code_used: {
      subject: ({ service }) => `${service} 有恢复代码被使用`,
      title: '恢复代码已被使用',
      lead: ({ service }) => `有人使用您的一个恢复代码登录了您在 ${service} 的帐号。该代码已失效。`,
      notYou: wasNotYou,
    },
    test: {
      subject: ({ service }) => `${service} 的测试邮件`,
      title: '运行正常',
      lead: ({ service }) => `${service} 可以发送电子邮件。其管理者请求发送了此邮件。`,
      notYou: '您无需做任何操作。',
    },
  },
}
