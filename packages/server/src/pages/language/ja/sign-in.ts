/** Japanese: the layout of every page, signing in, and getting back in. */
import type { signIn as english } from '../en/sign-in.ts'

export const signIn: typeof english = {
  layout: {
    skip: '本文へ移動',
    languages: '言語',
    signIn: (service) => `${service} にログイン`,
    errorSummary: '処理できませんでした',
    errorTitle: (title) => `エラー: ${title}`,
    pageTitle: (page, service) => `${page} · ${service}`,
  },
  login: {
    show: '表示',
    title: 'ログイン',
    to: (client) => `「${client}」に進みます`,
    toService: (service) => `「${service}」に進みます`,
    again: 'ご本人であることを確認するため、もう一度ログインしてください。',
    username: 'ユーザー名',
    password: 'パスワード',
    submit: 'ログイン',
    forgot: 'パスワードをお忘れの場合',
    rejected: 'ユーザー名とパスワードが一致しません。',
    throttled: (wait) => `試行回数が多すぎます。${wait}後にもう一度お試しください。`,
    expired: 'このページが長時間開かれたままでした。もう一度ログインしてください。',
    providers: {
      with: (name: string) => `${name} で続行`,
      problems: {
        cancelled: (name: string) => `${name} でサインインしませんでした。`,
        unavailable: (name: string) =>
          `現在 ${name} に接続できません。後でもう一度試すか、別の方法でサインインしてください。`,
        refused: (name: string) =>
          `${name} からの応答を受け付けられませんでした。もう一度試すか、別の方法でサインインしてください。`,
        stale: (name: string) =>
          `${name} は再度のサインインを求めませんでした。先にそちらでサインアウトするか、別の方法でサインインしてください。`,
        unlinked: (name: string) =>
          `その ${name} アカウントに関連付けられた人はここにはいません。ここにアカウントをお持ちの場合は、別の方法でサインインし、サインイン方法で ${name} を関連付けてください。`,
        another: (name: string) =>
          `ここのアカウントは別の ${name} アカウントに関連付けられています。別の方法でサインインするか、このサービスの運営者にお尋ねください。`,
        disabled: (name: string) => `ここでは ${name} でサインインできません。このサービスの運営者にお尋ねください。`,
        taken: (name: string) => `その ${name} アカウントは、ここで別の人に関連付けられています。`,
        gone: (_name: string) => 'このサインイン方法は提供されなくなりました。',
      },
    },
  },
  passkey: {
    or: 'または',
    use: 'パスキーでログイン',
    failed: 'パスキーは使用されませんでした。もう一度試すか、別の方法で続行してください。',
    unsupported: 'このブラウザではパスキーを使用できません。',
    noScript: 'パスキーには JavaScript が必要ですが、このブラウザでは無効になっています。',
  },
  secondFactor: {
    title: 'あと 1 ステップです',
    lead: (username) => `${username} さんご本人であることを確認します。`,
    otp: '認証アプリのコード',
    otpHint: '6 桁の数字です。すべて入力すると自動的に送信されます。',
    remember: (time) => `このブラウザでは${time}確認を省略する`,
    submit: 'ログイン',
    passkeyOnly: 'アプリは、パスキーでのみ可能なログインを求めています。',
    recover: 'リカバリーコードを使用',
    recoveryCode: 'リカバリーコード',
    recoveryHint: (left, f) => f.plural(left, { other: '各コードは 1 回だけ使用できます。残り # 個です。' }),
    startOver: '別の方法でログイン',
    rejected: '正しくないか、すでに使用されています。',
    throttled: (wait) => `試行回数が多すぎます。${wait}後にもう一度お試しください。`,
  },
  newPassword: {
    title: '新しいパスワードを設定',
    lead: (username) => `アカウント: ${username}`,
    why: '用意された仮のパスワードでログインしました。今後は新しいパスワードだけが有効です。',
    submit: 'パスワードを設定して続行',
  },
  choose: {
    title: 'アカウントの選択',
    to: (client) => `「${client}」に進みます`,
    signedOut: 'ログアウト済み',
    another: '別のアカウントを使用',
  },
  forgot: {
    title: 'パスワードをお忘れの場合',
    lead: 'ユーザー名などを入力すると、新しいパスワードを設定するためのリンクをお送りします。',
    named: 'ユーザー名またはメールアドレス',
    submit: 'リンクを送信',
    throttled: (wait) => `リクエストが多すぎます。${wait}後にもう一度お試しください。`,
    sentTitle: 'メールを確認してください',
    sent: '該当するアカウントにメールアドレスが登録されている場合は、リンクを送信しました。リンクの有効期間は 30 分です。',
    sentHint: '届かない場合は、迷惑メールを確認するか、このサービスの管理者にお問い合わせください。',
    back: 'ログインに戻る',
  },
  reset: {
    title: '新しいパスワードの設定',
    lead: (username) => `アカウント: ${username}`,
    endsAll: 'すべての場所からログアウトされ、その後は新しいパスワードでログインします。',
    submit: 'パスワードを設定',
    doneTitle: 'パスワードを変更しました',
    done: '新しいパスワードでログインしてください。2 段階目の認証を使用している場合は、これまでどおり確認が求められます。',
    signIn: 'ログイン',
    goneTitle: 'このリンクは無効です',
    gone: '使用済みか、期限切れか、より新しいリンクが送信されています。また、手続きを完了するブラウザで開く必要があります。',
    again: '新しいリンクを請求',
  },
}
