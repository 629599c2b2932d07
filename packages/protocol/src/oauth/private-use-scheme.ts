/** Which schemes may lead back to an app: RFC 8252 §7.1, and what real apps use (`cursor:`, `vscode:`). */

/**
 * Never: schemes that run script, open files or windows of the browser, start other programs, or mean a service that
 * everybody knows. RFC 8252 §7.1 asks for a reversed domain name, and apps that people use have plain ones, so this is a
 * deny-list; what is on it is no app's own.
 */
const denied: ReadonlySet<string> = new Set(
  [
    // Script, and documents that run it.
    'javascript data vbscript livescript mocha ecmascript blob filesystem mhtml jar',
    // The browser's own rooms.
    'about view-source chrome chrome-extension chrome-search chrome-untrusted devtools edge opera brave vivaldi',
    'resource moz-extension moz-icon safari-extension wyciwyg res cid',
    // Files and shares.
    'file smb nfs afp dav davs webdav disk shell hcp help mk its search-ms',
    // Addresses on the network, and what other programs answer.
    'http https ws wss ftp ftps sftp tftp gopher ldap ldaps ssh telnet tn3270 rdp vnc git svn rtsp rtmp irc ircs',
    'news nntp snews wais imap pop smtp mailto mid tel sms mms callto sip sips xmpp facetime facetime-audio geo maps',
    'feed magnet bitcoin ethereum urn uuid tag dns ni acct did openid4vp openid',
    // Launchers of arbitrary programs.
    'intent android-app market applescript itms itms-apps itms-services prefs app-prefs',
  ].flatMap((line) => line.split(' ')),
)
const deniedBeginnings = ['ms-', 'x-apple', 'web+']

export const isPrivateUseScheme = (scheme: string): boolean =>
  scheme.length > 1 && !denied.has(scheme) && !deniedBeginnings.some((beginning) => scheme.startsWith(beginning))
