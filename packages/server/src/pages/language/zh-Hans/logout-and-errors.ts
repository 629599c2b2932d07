/** Simplified Chinese: signing out, and what went wrong. */
import type { logoutAndErrors as english } from '../en/logout-and-errors.ts'

export const logoutAndErrors: typeof english = {
  landing: {
    title: '授权服务',
    lead: '人们在此登录，并决定哪些应用可以代表他们做什么。',
    account: { title: '您的帐号', lead: '拥有访问权限的应用、会话以及登录方式。' },
    console: { title: '控制台', lead: '面向管理员：客户端、人员、访问权限和密钥。' },
    discovery: { title: '发现文档', lead: '客户端和 API 在此找到此颁发者的所有端点。' },
    problems: { title: '错误代码', lead: '每个错误的含义及处理方法。' },
    tryIt: '试一试',
    steps: {
      token: '在命令行中获取令牌',
      call: '使用该令牌调用 Orders API',
      revoke: '撤销令牌；相同的调用随即被拒绝',
      trust: '让此计算机的浏览器信任其证书；加上 --remove 即可撤销',
      browser: '使用浏览器登录，用户名 alice，密码 alice',
      terminal: '在终端中使用代码登录',
    },
  },
  logout: {
    title: '要退出登录吗？',
    asked: (client) => `${client} 请求让您退出登录。`,
    lead: (service) => `您将在此浏览器中退出 ${service}。`,
    confirm: '退出登录',
    stay: '保持登录',
    doneTitle: '您已退出登录',
    done: (service) => `您在此浏览器中已不再登录 ${service}。`,
    back: (client) => `返回 ${client}`,
    signInAgain: '重新登录',
    framesTitle: '您已退出登录',
    frames: '正在通知您使用过的应用。请稍候。',
    frame: (host) => `正在退出 ${host}`,
    onward: '继续',
  },
  error: {
    trace: '跟踪 ID',
    traceHint: '请将其提供给支持人员。它不包含您的任何信息。',
    code: '错误代码',
    home: '前往首页',
    kinds: {
      request: {
        title: '无法回应此请求',
        lead: '将您带到此处的应用发出了无效的请求。',
        remedy: '请返回应用并重试。如果再次发生，请告知其运营者。',
      },
      client: {
        title: '我们不认识此应用',
        lead: '将您带到此处的应用未在此服务注册。',
        remedy: '为了保护您，我们没有向其发送任何内容。请告知应用的运营者。',
      },
      missing: {
        title: '应用的请求不完整',
        lead: '将您带到此处的应用遗漏了必要的信息：它是谁，或者回应应发送到哪里。',
        remedy: '请返回应用并重试。如果再次发生，请告知其运营者。',
      },
      redirect: {
        title: '应用的返回地址未注册',
        lead: '我们认识将您带到此处的应用，但不认识它希望接收回应的地址。',
        remedy:
          '为了保护您，我们没有向该地址发送任何内容。请告知应用的运营者：其 redirect_uri 必须与发送的内容完全一致地注册。',
      },
      expired: {
        title: '耗时过长',
        lead: '该请求已失效，或已得到回应。',
        remedy: '请返回应用并重新开始。',
      },
      elsewhere: {
        title: '此操作是在另一个浏览器中开始的',
        lead: '只有开始登录的浏览器才能完成登录。',
        remedy: '请在此浏览器中返回应用并重新开始。请检查是否允许使用 Cookie。',
      },
      returned: {
        title: '无法在这里完成此次登录',
        lead: '它是在另一个浏览器中开始的、耗时过长，或已经完成。没有任何更改。',
        remedy: '请从应用或首页重新开始。',
      },
      forged: {
        title: '无法接受该表单',
        lead: '它是从其他页面发送的，或打开时间过长。',
        remedy: '请返回应用并重新开始。',
      },
      unavailable: {
        title: '请稍候',
        lead: '服务目前无法回应。没有进行任何更改。',
        remedy: '请稍等片刻，然后重新加载此页面。',
      },
      not_found: {
        title: '此处没有内容',
        lead: '此页面不存在，或已不再存在。',
        remedy: '请检查地址。',
      },
      internal: {
        title: '我们这边出了问题',
        lead: '无法回应该请求。此问题已被记录。',
        remedy: '请重试。如果再次发生，请将跟踪 ID 提供给支持人员。',
      },
    },
  },
  unredirected: {
    kinds: {
      refused: {
        title: '无法回应此请求',
        lead: (client) => `${client} 请求的内容未获批准。`,
      },
      denied: {
        title: '未授予访问权限',
        lead: (client) => `${client} 未获得对您帐号的访问权限。`,
      },
      signedOut: {
        title: '您已退出登录',
        lead: (client) => `${client} 希望您返回。`,
      },
    },
    unchecked: (service) =>
      `此应用是自行注册的，您在此处尚未允许它做任何事。${service} 没有核实它会通向哪里：只有在您认识此地址时才继续。`,
    address: '其地址',
    go: (host) => `前往 ${host}`,
  },
  problem: {
    happened: '发生了什么',
    why: '原因',
    remedy: '处理方法',
    source: '定义于',
    status: 'HTTP 状态',
    all: '所有错误代码',
    allLead: '此服务及其保护的 API 可能返回的所有错误。',
    unknownTitle: '未知错误代码',
    unknown: '此服务没有该名称的错误。',
    families: {
      authorize: '在浏览器中：授权响应',
      token: '在浏览器之外：令牌及其他端点',
      api: '在受保护的 API：问题类型',
    },
  },
}
