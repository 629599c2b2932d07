/** Japanese: making an account, agreeing to terms, the profile, and the end of an account. */
import type { accounts as english } from '../en/accounts.ts'

export const accounts: typeof english = {
  signUp: {
    link: 'アカウントを作成',
    title: 'アカウントを作成',
    lead: 'メールアドレスにリンクをお送りします。リンクを開くとアカウントが作成されます。',
    email: 'メールアドレス',
    submit: 'リンクを送信',
    domain: 'ここでは、特定の組織のアドレスのみアカウントを作成できます。',
    sent: 'そのアドレスにメールを送信しました。リンクは 1 回だけ、24 時間有効です。',
    sentHint: '届かない場合は、迷惑メールを確認するか、アドレスの入力内容を確認してください。',
  },
  signInLink: {
    link: 'サインイン用リンクをメールで受け取る',
    title: 'メールでサインイン',
    lead: 'どなたかを入力してください。サインイン用のリンクをお送りします。',
    sent: 'その名前のアカウントにメールアドレスがあれば、リンクを送信しました。リンクは 1 回だけ、10 分間、このブラウザーで有効です。',
    finish: 'サインイン',
    as: (username) => `${username} として`,
    finishHint: 'リンクは 1 回だけ有効です。心当たりがない場合は、このページを閉じてください。',
    elsewhereTitle: 'リンクを請求したブラウザーで開いてください',
    elsewhere:
      'このリンクは、請求したブラウザーでのみサインインできます。そちらで開くか、ここで新しいリンクを請求してください。',
    again: 'ここでリンクを請求',
  },
  newAccount: {
    title: '新しいアカウント',
    lead: (email) => `${email} のアカウント`,
    name: 'お名前',
    submit: 'アカウントを作成',
    unreadable: '読める名前を 200 文字以内で入力してください。',
    gone: '使用済みか、期限切れか、より新しいリンクが送信されています。すでにアカウントをお持ちの場合は、ログインしてください。',
  },
  terms: {
    title: '利用規約',
    lead: '続けるには、利用規約を読んで同意してください。',
    read: (version) => `利用規約を読む（バージョン ${version}）`,
    agree: '利用規約に同意します',
    submit: '同意して続ける',
    required: '続けるには、利用規約への同意が必要です。',
  },
  profile: {
    lead: '許可したときにアプリが知ることのできる情報です。',
    given: '名',
    family: '姓',
    locale: '言語',
    zone: 'タイムゾーン',
    picture: '画像',
    pictureHint: 'https のアドレス。',
    submit: '保存',
    invalid: 'このままでは保存できません。',
  },
  ownData: {
    lead: '保存されている情報と、その削除方法です。',
    downloadTitle: 'データをダウンロード',
    downloadLead: '保存されているすべての情報を 1 つの JSON ファイルで。パスワードや鍵は含まれません。',
    download: 'ダウンロード',
    deleteTitle: 'アカウントを削除',
    deleteLead: (date) =>
      `すべての場所から直ちにログアウトされ、すべてのアプリがアクセスを失います。${date} まではログインすると元に戻せます。その後、アカウントと保存されているすべての情報が完全に削除されます。`,
    submit: 'アカウントを削除する',
    stale: 'ログインしてから時間が経ちすぎています。ログアウトしてからもう一度ログインし、ここに戻ってください。',
    lastOwner: 'あなたはここの最後の所有者です。先に別の所有者を指定してください。',
    deletedTitle: 'アカウントは削除されます',
    deleted: (date) => `${date} に完全に削除されます。残すには、それまでにログインしてください。`,
  },
}
