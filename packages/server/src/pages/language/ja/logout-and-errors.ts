/** Japanese: signing out, and what went wrong. */
import type { logoutAndErrors as english } from '../en/logout-and-errors.ts'

export const logoutAndErrors: typeof english = {
  landing: {
    title: '認可サービス',
    lead: 'ここでログインし、どのアプリに何を許可するかを決めます。',
    account: { title: 'アカウント', lead: 'アクセスを許可したアプリ、セッション、ログイン方法。' },
    console: { title: 'コンソール', lead: 'クライアント、ユーザー、アクセス、鍵の管理 (管理者向け)。' },
    discovery: {
      title: 'ディスカバリー ドキュメント',
      lead: 'クライアントと API が、この発行者のすべてのエンドポイントを見つける場所です。',
    },
    problems: { title: 'エラーコード', lead: '各エラーの意味と対処方法。' },
    tryIt: '試してみる',
    steps: {
      token: 'シェルでトークンを取得する',
      call: 'そのトークンで Orders API を呼び出す',
      revoke: 'トークンを取り消す (同じ呼び出しは拒否されます)',
      trust: 'このコンピューターのブラウザに証明書を信頼させる (--remove を付けると元に戻ります)',
      browser: 'ブラウザでログインする (ユーザー名 alice、パスワード alice)',
      terminal: 'ターミナルからコードでログインする',
    },
  },
  logout: {
    title: 'ログアウトしますか?',
    asked: (client) => `「${client}」がログアウトを求めています。`,
    lead: (service) => `このブラウザで ${service} からログアウトします。`,
    confirm: 'ログアウト',
    stay: 'ログインしたままにする',
    doneTitle: 'ログアウトしました',
    done: (service) => `このブラウザでは ${service} にログインしていません。`,
    back: (client) => `「${client}」に戻る`,
    signInAgain: 'もう一度ログイン',
    framesTitle: 'ログアウトしました',
    frames: '使用したアプリに通知しています。しばらくお待ちください。',
    frame: (host) => `${host} からのログアウト`,
    onward: '続行',
  },
  error: {
    trace: 'トレース ID',
    traceHint: 'サポートにお伝えください。個人に関する情報は含まれていません。',
    code: 'エラーコード',
    home: 'トップページへ',
    kinds: {
      request: {
        title: 'このリクエストには応答できません',
        lead: '移動元のアプリからのリクエストが正しくありません。',
        remedy: 'アプリに戻って、もう一度お試しください。繰り返し発生する場合は、アプリの運営者にお知らせください。',
      },
      client: {
        title: '不明なアプリです',
        lead: '移動元のアプリは、このサービスに登録されていません。',
        remedy: '安全のため、アプリには何も送信していません。アプリの運営者にお知らせください。',
      },
      missing: {
        title: 'アプリのリクエストに不足があります',
        lead: '移動元のアプリは、必要な情報 (アプリの識別情報または応答の送信先) を送信していません。',
        remedy: 'アプリに戻って、もう一度お試しください。繰り返し発生する場合は、アプリの運営者にお知らせください。',
      },
      redirect: {
        title: 'アプリの戻り先が登録されていません',
        lead: '移動元のアプリは登録されていますが、応答の送信先のアドレスが登録されていません。',
        remedy:
          '安全のため、そのアドレスには何も送信していません。アプリの運営者にお知らせください。redirect_uri は、送信されるものとまったく同じものを登録する必要があります。',
      },
      expired: {
        title: '時間がかかりすぎました',
        lead: 'リクエストが無効になったか、すでに応答済みです。',
        remedy: 'アプリに戻って、最初からやり直してください。',
      },
      elsewhere: {
        title: '別のブラウザで開始されています',
        lead: 'ログインは、開始したブラウザでのみ完了できます。',
        remedy:
          'このブラウザでアプリに戻って、最初からやり直してください。Cookie が許可されていることを確認してください。',
      },
      forged: {
        title: 'フォームを受け付けられませんでした',
        lead: '別のページから送信されたか、長時間開かれたままでした。',
        remedy: 'アプリに戻って、最初からやり直してください。',
      },
      unavailable: {
        title: 'しばらくお待ちください',
        lead: '現在、サービスが応答できません。何も変更されていません。',
        remedy: '少し待ってから、このページを再読み込みしてください。',
      },
      not_found: {
        title: 'ページが見つかりません',
        lead: 'このページは存在しないか、削除されました。',
        remedy: 'アドレスを確認してください。',
      },
      internal: {
        title: 'サービス側で問題が発生しました',
        lead: 'リクエストに応答できませんでした。この問題は記録されました。',
        remedy: 'もう一度お試しください。繰り返し発生する場合は、トレース ID をサポートにお伝えください。',
      },
    },
  },
  unredirected: {
    kinds: {
      refused: {
        title: 'このリクエストには応答できません',
        lead: (client) => `「${client}」の要求は認められませんでした。`,
      },
      denied: {
        title: 'アクセスは許可されませんでした',
        lead: (client) => `「${client}」には、あなたのアカウントへのアクセスが許可されませんでした。`,
      },
      signedOut: {
        title: 'ログアウトしました',
        lead: (client) => `「${client}」に戻るよう求められています。`,
      },
    },
    unchecked: (service) =>
      `このアプリは自ら登録したもので、あなたはまだ何も許可していません。${service} は移動先を確認していません。このアドレスに心当たりがある場合にのみ進んでください。`,
    address: 'アプリのアドレス',
    go: (host) => `${host} に移動`,
  },
  problem: {
    happened: '発生した問題',
    why: '原因',
    remedy: '対処方法',
    source: '定義',
    status: 'HTTP ステータス',
    all: 'すべてのエラーコード',
    allLead: 'このサービスと、このサービスが保護する API が返すことのあるすべてのエラーです。',
    unknownTitle: '不明なエラーコード',
    unknown: 'このサービスに、その名前のエラーはありません。',
    families: {
      authorize: 'ブラウザ: 認可レスポンス',
      token: 'ブラウザ以外: トークンなどのエンドポイント',
      api: '保護された API: 問題の種類',
    },
  },
}
