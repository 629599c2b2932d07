/** Published entry: pages and mails without a server, as functions from data to text; headers are from csp.ts. */
export { type Html, html } from './html.ts'
export { type Headers, type PageNeeds, assetHeaders, pageHeaders, publicPageHeaders } from './csp.ts'
export { type Asset, assetFolder, assets } from './assets/assets.ts'
export { tenantTheme } from './theme/tenant-theme.ts'
export { brandSheetNamed } from './theme/palette.ts'
export { type PageTheme, type Theme, type ThemeInput, defaultTheme, themeFiles, createTheme } from './theme/theme.ts'
export { type PageContext, assetAddress } from './layout.ts'
export { type Language, acceptedLanguages, chooseLanguage, fallback, languages } from './language/index.ts'
export { type Formats, formatsOf } from './language/formats.ts'
export { scopeWords } from './language/scope-words.ts'
export { type FormTarget, csrfField } from './components/form.ts'
export { type ShownScope, scopeField } from './components/scopes.ts'
export { type LoginData, type LoginError, loginPage } from './login.ts'
export { type SecondFactorData, type SecondFactorError, secondFactorPage } from './second-factor.ts'
export { type PasskeyPrompt, passkeyField } from './components/passkey.ts'
export { type ChooseAccountData, type KnownAccount, chooseAccountPage } from './choose-account.ts'
export { type ConsentData, type Destination, consentPage, consentTextVersion } from './consent.ts'
export {
  type DeviceCodeError,
  type DeviceEntryData,
  type DeviceOutcome,
  deviceDonePage,
  deviceEntryPage,
} from './device.ts'
export { type DemoSteps, type LandingData, type LandingStep, landingPage } from './landing.ts'
export { type LogoutData, logoutPage } from './logout.ts'
export { type SignedOutData, signedOutPage } from './signed-out.ts'
export { type UnredirectedData, unredirectedPage } from './unredirected.ts'
export { type FrontChannelLogoutData, frontChannelLogoutPage } from './front-channel-logout.ts'
export { type ContinueData, continuePage } from './continue.ts'
export { type FormPostData, formPostPage } from './form-post.ts'
export { type ErrorData, type ErrorKind, errorPage } from './error.ts'
export { problemIndexPage, problemPage, unknownProblemPage } from './problems/page.ts'
export { type ProblemText, problemOf, problems } from './problems/list.ts'
export { type AccountPageContext, type Section, sectionPaths } from './account/layout.ts'
export { type AppsData, type ConnectedApp, appsPage } from './account/apps.ts'
export { type RequestsData, type ShownRequest, type WaitingRequestLink, requestsPage } from './account/requests.ts'
export { type SessionsData, type ShownSession, sessionsPage } from './account/sessions.ts'
export {
  type ShownPasskey,
  type ShownRememberedBrowser,
  type SignInMethodsData,
  signInMethodsPage,
} from './account/sign-in-methods.ts'
export { type AuthenticatorData, authenticatorPage } from './account/authenticator.ts'
export { type RecoveryCodesData, recoveryCodesPage } from './account/recovery-codes.ts'
export { type PasswordData, passwordPage } from './account/password.ts'
export { type ActivityData, type ActivityKind, type ShownEvent, activityPage } from './account/activity.ts'
export { type AddressData, addressPage } from './account/address.ts'
export { type ForgotPasswordData, forgotPasswordPage, linkSentPage } from './forgot-password.ts'
export { type NewPasswordData, newPasswordPage, resetPasswordPage } from './new-password.ts'
export { linkGonePage, passwordResetPage } from './reset-password.ts'
export { type ProfileData, profilePage } from './account/profile.ts'
export { type OwnDataData, accountEndedPage, ownDataPage } from './account/data.ts'
export {
  type FollowedLinkData,
  type SignInLinkData,
  followedLinkPage,
  linkOfAnotherBrowserPage,
  signInLinkPage,
  signInLinkSentPage,
} from './sign-in-link/sign-in-link.ts'
export { type SignUpData, signUpPage, signUpRefusedPage, signUpSentPage } from './sign-up/sign-up.ts'
export { type NewAccountData, invitationGonePage, newAccountPage } from './sign-up/new-account.ts'
export { type TermsData, termsPage } from './sign-up/terms.ts'
export type { MailStyle } from '../mail/messages/content.ts'
export { writeMail } from '../mail/messages/write.ts'
