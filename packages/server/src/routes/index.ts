/** The list of routes. Adding one means one file and one line here. */
import { accountSignOut } from '../interact/account.ts'
import { activity, apps, password, sessions } from '../interact/account-pages.ts'
import { accountSignInRoutes } from '../interact/account-sign-in.ts'
import { requests } from '../interact/backchannel/waiting-requests.ts'
import { device } from '../interact/device.ts'
import { address } from '../interact/address.ts'
import { profile } from '../interact/own-account/profile.ts'
import { downloadData, ownData } from '../interact/own-account/data.ts'
import { askForSignInLink, finishSignInLink } from '../interact/sign-in-link/sign-in-link.ts'
import { finishSignUp, invitation } from '../interact/sign-up/new-account.ts'
import { signUp } from '../interact/sign-up/sign-up.ts'
import { agreeToTerms, termsStep } from '../interact/sign-up/terms.ts'
import { forgotPassword, resetPassword } from '../interact/password/forgot-password.ts'
import { landing } from '../interact/landing.ts'
import { chooseStep, decideStep, hub } from '../interact/hub.ts'
import { newPassword, newPasswordStep } from '../interact/password/new-password.ts'
import { authenticator, signInMethods } from '../interact/sign-in-methods.ts'
import { upstreamLogout } from '../interact/providers/backchannel-logout.ts'
import { providerReturn } from '../interact/providers/return.ts'
import { samlMetadata } from '../interact/providers/saml-metadata.ts'
import { passkeyStep, providerStep, secondFactorStep, signInStep } from '../interact/sign-in-steps.ts'
import { clientLogout, logout, signedOut } from '../interact/logout.ts'
import { consoleRoutes } from '../console/routes.ts'
import { asset, tenantLogo } from './assets.ts'
import { authorize } from './authorize.ts'
import { revocationAcknowledgements } from './feed/acknowledgements.ts'
import { backchannelAuthentication } from './backchannel-authentication.ts'
import { deviceAuthorization } from './device-authorization.ts'
import { introspect } from './introspect.ts'
import { jwks } from './jwks.ts'
import { logo } from './logos.ts'
import { metrics } from './metrics.ts'
import { grantor, oauthServer, openidConfiguration, ssfConfiguration } from './metadata.ts'
import { par } from './par.ts'
import { problem, problemIndex } from './problems.ts'
import { register, registration } from './register.ts'
import { revocationChanges, revocationSnapshot, revocationStream } from './feed/revocations.ts'
import { revoke } from './revoke.ts'
import type { Route } from './route.ts'
import { statusList, statusListAggregation } from './status-lists.ts'
import { token } from './token.ts'
import { userinfo } from './userinfo.ts'

export const routes: readonly Route[] = [
  landing,
  authorize,
  hub,
  signInStep,
  passkeyStep,
  providerStep,
  providerReturn,
  upstreamLogout,
  samlMetadata,
  secondFactorStep,
  newPasswordStep,
  termsStep,
  chooseStep,
  decideStep,
  token,
  par,
  deviceAuthorization,
  device,
  backchannelAuthentication,
  userinfo,
  introspect,
  revoke,
  jwks,
  openidConfiguration,
  oauthServer,
  grantor,
  ssfConfiguration,
  revocationStream,
  revocationChanges,
  revocationSnapshot,
  revocationAcknowledgements,
  statusListAggregation,
  statusList,
  metrics,
  problemIndex,
  problem,
  apps,
  requests,
  sessions,
  signInMethods,
  authenticator,
  password,
  newPassword,
  profile,
  address,
  ownData,
  downloadData,
  forgotPassword,
  resetPassword,
  askForSignInLink,
  finishSignInLink,
  signUp,
  finishSignUp,
  invitation,
  agreeToTerms,
  activity,
  ...accountSignInRoutes,
  accountSignOut,
  logout,
  clientLogout,
  signedOut,
  asset,
  tenantLogo,
  logo,
  ...consoleRoutes,
]

/** Routes whose bodies are JSON. */
export const jsonRoutes: readonly Route[] = [register, registration]
