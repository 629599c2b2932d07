/** Japanese. */
import type { MailMessages } from './en.ts'

const wasNotYou =
  'お心当たりがない場合は、今すぐパスワードを変更し、見覚えのないセッションをすべて終了してください。どちらもアカウントページで行えます。'

export const ja: MailMessages = {
  account: 'アカウント',
  app: 'アプリ',
  message: 'メッセージ',
  when: '日時',
  device: 'デバイス',
  address: 'アドレス',
  unknownDevice: '不明',
  unknownAddress: '不明',
  labelled: (label, value) => `${label}: ${value}`,
  orOpen: 'または、次のアドレスを開いてください:',
  yourAccount: 'アカウント',
  footer: (service) =>
    `このメールは、${service} にアカウントをお持ちの方にお送りしています。このメールに返信いただいてもお読みすることはできません。`,
  strangerFooter: (service) =>
    `このメールは、${service} にこのアドレスが入力されたためお送りしています。このメールに返信いただいてもお読みすることはできません。`,
  kinds: {
    reset: {
      subject: ({ service }) => `${service} の新しいパスワードの設定`,
      title: '新しいパスワードの設定',
      lead: ({ service }) => `${service} で新しいパスワードが請求されました。おそらくあなたご自身によるものです。`,
      button: '新しいパスワードを設定',
      linkNote: 'リンクは 1 回だけ、30 分間有効です。新しいリンクが送信されると、このリンクは無効になります。',
      notYou:
        '請求していない場合は、何もする必要はありません。パスワードはそのままです。リンクを他の人に渡さないでください。',
    },
    sign_in_link: {
      subject: ({ service }) => `${service} へのサインイン`,
      title: 'サインイン',
      lead: ({ service }) => `${service} へのサインイン用リンクが請求されました。おそらくあなたによるものです。`,
      button: 'サインイン',
      linkNote: 'リンクは 1 回だけ、10 分間、請求したブラウザーで有効です。',
      notYou:
        '心当たりがない場合は、何もしないでください。誰もサインインしません。リンクを他の人に渡さないでください。',
    },
    sign_up: {
      subject: ({ service }) => `${service} のアカウントを作成してください`,
      title: 'アカウントを作成してください',
      lead: ({ service }) => `このアドレスで ${service} のアカウントが申請されました。おそらくご本人によるものです。`,
      button: 'アカウントを作成',
      linkNote: 'リンクは 1 回だけ、24 時間有効です。新しいリンクが送られると無効になります。',
      notYou:
        '心当たりがない場合は、何もする必要はありません。アカウントは作成されません。リンクは誰にも渡さないでください。',
    },
    account_exists: {
      subject: ({ service }) => `${service} のアカウントはすでにあります`,
      title: 'アカウントはすでにあります',
      lead: ({ service }) =>
        `このアドレスで ${service} のアカウントが申請されましたが、すでに存在します。パスワードをお忘れの場合は、ログインページで新しいパスワードを設定できます。`,
      button: 'ログイン',
      notYou: '心当たりがない場合は、何もする必要はありません。アカウントはそのままです。',
    },
    invitation: {
      subject: ({ service }) => `${service} への招待`,
      title: '招待が届いています',
      lead: ({ service }) =>
        `${service} のアカウントに招待されています。名前とパスワードを決めると、ご自身のアカウントになります。`,
      button: '招待を受ける',
      linkNote: 'リンクは 1 回だけ、このアドレスでのみ有効です。',
      notYou:
        '心当たりがない場合は、何もする必要はありません。アカウントは作成されません。リンクは誰にも渡さないでください。',
    },
    deletion_requested: {
      subject: ({ service }) => `${service} のアカウントは削除されます`,
      title: 'アカウントは削除されます',
      lead: ({ service }) =>
        `${service} のアカウントは終了し、完全に削除されます。残すには、それまでにログインしてください。`,
      notYou: 'ご本人でない場合は、すぐにログインしてアカウントを残し、パスワードを変更してください。',
    },
    deletion_cancelled: {
      subject: ({ service }) => `${service} のアカウントは残ります`,
      title: 'アカウントは残ります',
      lead: ({ service }) => `削除予定だった ${service} のアカウントにログインがありました。アカウントは残ります。`,
      notYou: wasNotYou,
    },
    address: {
      subject: ({ service }) => `${service} のメールアドレスの確認`,
      title: 'メールアドレスの確認',
      lead: ({ service }) =>
        `${service} のアカウントにこのアドレスが入力されました。ご自身のアカウントである場合は、確認してください。`,
      button: 'アドレスを確認',
      linkNote: 'リンクは 1 回だけ、24 時間有効です。開くと、そのアカウントへのログインが求められます。',
      notYou: 'ご自身のアカウントでない場合は、何もする必要はありません。このアドレスは使用されません。',
    },
    address_changed: {
      subject: ({ service }) => `${service} のメールアドレスが変更されました`,
      title: 'メールアドレスが変更されました',
      lead: ({ service }) =>
        `${service} のアカウントに別のアドレスが確認されました。今後のメールはそのアドレスに送信され、こちらには届きません。`,
      notYou: wasNotYou,
    },
    password_changed: {
      subject: ({ service }) => `${service} のパスワードが変更されました`,
      title: 'パスワードが変更されました',
      lead: ({ service }) => `${service} のアカウントのパスワードが変更され、他のセッションは終了しました。`,
      notYou:
        'お心当たりがない場合は、今すぐログインページで新しいパスワードを請求し、このサービスの管理者にお知らせください。',
    },
    signed_in: {
      subject: ({ service }) => `${service} への新しいログイン`,
      title: '新しいログイン',
      lead: ({ service }) => `${service} のアカウントに、これまで使用されていないブラウザからログインがありました。`,
      notYou: wasNotYou,
    },
    app_connected: {
      subject: ({ client, service }) => `「${client}」が ${service} のアカウントに接続されました`,
      title: 'アプリが接続されました',
      lead: ({ client, service }) =>
        `${service} であなたに代わって操作することを「${client}」に許可しました。許可した内容はアカウントページで確認し、取り消すことができます。`,
      notYou: 'お心当たりがない場合は、今すぐアカウントページでアプリを削除し、パスワードを変更してください。',
    },
    access_requested: {
      subject: ({ client, service }) => `「${client}」が ${service} でアクセスを求めています`,
      title: 'アプリがアクセスを求めています',
      lead: ({ client, service }) =>
        `「${client}」が、${service} であなたに代わって操作することを求めています。アカウントページで内容を確認し、許可または拒否してください。`,
      button: 'リクエストを確認',
      linkNote: 'リクエストの有効期間は数分間です。',
      notYou:
        'ご自身が開始したものでない場合は、拒否するか、何もしないでください。あなたの許可なしには何も認められません。電話やメッセージで許可を求められても応じないでください。',
    },
    factor_added: {
      subject: ({ service }) => `${service} にログイン方法が追加されました`,
      title: 'ログイン方法が追加されました',
      lead: ({ service }) => `${service} のアカウントに、別の方法でもログインできるようになりました。`,
      notYou: wasNotYou,
    },
    factor_removed: {
      subject: ({ service }) => `${service} のログイン方法が削除されました`,
      title: 'ログイン方法が削除されました',
      lead: ({ service }) => `${service} のアカウントのログイン方法が 1 つ削除されました。`,
      notYou: wasNotYou,
    },
    recovery_code_used: {
      subject: ({ service }) => `${service} でリカバリーコードが使用されました`,
      title: 'リカバリーコードが使用されました',
      lead: ({ service }) =>
        `リカバリーコードを使用して ${service} のアカウントにログインがありました。このコードはもう使用できません。`,
      notYou: wasNotYou,
    },
    test: {
      subject: ({ service }) => `${service} からのテストメール`,
      title: '正常に動作しています',
      lead: ({ service }) => `${service} はメールを送信できます。管理者がこのメールの送信を依頼しました。`,
      notYou: '何もする必要はありません。',
    },
  },
}
