/** Japanese: the account pages of passkeys and second factors. */
import type { methods as english } from '../en/sign-in-methods.ts'

export const methods: typeof english = {
  methods: {
    leadOn:
      'パスワードでのログインには、2 段階目の確認 (パスキー、アプリのコード、またはリカバリーコード) が必要です。',
    leadOff:
      '現在はパスワードだけでログインできます。パスワードだけではログインできないように、パスキーまたはアプリを追加してください。',
    confirmFirst: 'ここで変更を行うには、もう一度ログインしてください。',
    confirm: '本人確認を行う',
    passkeys: 'パスキー',
    passkeysLead:
      'パスキーを使うと、このデバイスまたはスマートフォンで、指紋、顔、PIN を使ってログインできます。偽のページに渡してしまうことはありません。',
    passkeyName: '名前',
    addPasskey: 'パスキーを追加',
    synced: '同期済み',
    added: '追加日',
    used: '最終使用',
    until: '有効期限',
    never: '未使用',
    remove: '削除',
    removeNamed: (name) => `「${name}」を削除`,
    removeLead: 'これを使ったログインはできなくなります。確認を省略していたブラウザでも、再び確認が求められます。',
    removeLast:
      'これが最後の 1 つです。削除するとパスワードだけでログインできるようになり、リカバリーコードは無効になります。',
    authenticator: '認証アプリ',
    authenticatorLead: 'スマートフォンのアプリに、30 秒ごとに新しいコードが表示されます。ネットワーク接続は不要です。',
    setUp: 'アプリを設定',
    removeAuthenticator: '認証アプリを削除',
    codes: 'リカバリーコード',
    codesLead:
      'スマートフォンやパスキーを紛失したときに使用します。紙またはパスワード マネージャーに保管してください。',
    codesLeft: (left, f) => f.plural(left, { other: '残り # 個です。' }),
    newCodes: '新しいコードを作成',
    newCodesLead: '現在のコードはすぐに使用できなくなります。',
    browsers: '確認を省略するブラウザ',
    browsersLead: 'これらのブラウザでは、パスワードだけでログインできます。',
    noBrowsers: 'すべてのブラウザで 2 段階目の確認が求められます。',
    forget: '再び確認する',
    forgetNamed: (device) => `${device} で再び確認する`,
    providers: {
      title: '他のサービスのアカウント',
      lead: '他のサービスでお持ちのアカウントでここにサインインできます。',
      link: (name: string) => `${name} を関連付ける`,
      unlink: (name: string) => `${name} の関連付けを解除`,
      unlinkLead: '今後はこのアカウントでここにサインインできません。',
    },
    failed: {
      last: 'これが唯一のサインイン方法です。先にパスワードを設定するか、パスキーを追加してください。',
      passkey: 'パスキーを追加できませんでした。もう一度お試しください。',
      full: 'パスキーの数がアカウントの上限に達しています。先に 1 つ削除してください。',
      outrun: '同時に別のウィンドウで変更されました。ここでは何も追加されていません。もう一度ご確認ください。',
    },
  },
  authenticator: {
    title: '認証アプリの設定',
    lead: 'ワンタイムコードに対応したアプリであれば使用できます。',
    scan: 'アプリでスキャンしてください。',
    qr: 'アプリ用の秘密情報を含む QR コード',
    byHand: '手動で入力する',
    type: 'アプリに現在表示されているコードを入力してください。',
    otp: 'コード',
    confirm: '有効にする',
    cancel: 'キャンセル',
    wrong: 'コードが正しくありません。スマートフォンの時刻が正しいことを確認し、最新のコードを入力してください。',
  },
  recoveryCodes: {
    title: 'リカバリーコード',
    lead: '以前のコードは使用できなくなりました。これらのコードは、パスワードと合わせてそれぞれ 1 回だけログインに使用できます。',
    leadFirst:
      '今後、パスワードでのログインには 2 段階目の確認が必要です。その手段を失った場合は、これらのコードをそれぞれ 1 回だけ代わりに使用できます。',
    once: 'このページは一度だけ表示されます。次に進む前に、コードを書き留めるか保存してください。',
    kept: '保管しました',
    copy: 'コピー',
    copied: 'コピーしました',
    save: 'ダウンロード',
    print: '印刷',
  },
}
