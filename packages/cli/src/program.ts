/** The list of commands. Adding one means one file and one line here. */
import { apply } from './commands/apply.ts'
import { auditExport } from './commands/audit/export.ts'
import { auditHead } from './commands/audit/head.ts'
import { auditTail } from './commands/audit/tail.ts'
import { auditVerify } from './commands/audit/verify.ts'
import { backup } from './commands/backup.ts'
import { clientCreate } from './commands/client/create.ts'
import { clientDelete } from './commands/client/delete.ts'
import { clientList } from './commands/client/list.ts'
import { clientRotateSecret } from './commands/client/rotate-secret.ts'
import { clientShow } from './commands/client/show.ts'
import { configCheck } from './commands/config/check.ts'
import { configPrint } from './commands/config/print.ts'
import { doctor } from './commands/doctor.ts'
import { exportAll } from './commands/export.ts'
import { keyDrop } from './commands/key/drop.ts'
import { keyList } from './commands/key/list.ts'
import { keyRewrap } from './commands/key/rewrap.ts'
import { keyRotate } from './commands/key/rotate.ts'
import { accessToken } from './commands/login/access-token.ts'
import { login } from './commands/login/login.ts'
import { logout } from './commands/login/logout.ts'
import { whoami } from './commands/login/whoami.ts'
import { mailTest } from './commands/mail/send-test.ts'
import { plan } from './commands/plan.ts'
import { registrationTokenCreate } from './commands/registration-token/create.ts'
import { registrationTokenList } from './commands/registration-token/list.ts'
import { registrationTokenRevoke } from './commands/registration-token/revoke.ts'
import { restore } from './commands/restore.ts'
import { start } from './commands/start/start.ts'
import { tenantCreate } from './commands/tenant/create.ts'
import { tenantDisable, tenantEnable } from './commands/tenant/disable.ts'
import { tenantList } from './commands/tenant/list.ts'
import { tenantRemove } from './commands/tenant/remove.ts'
import { tokenInspect } from './commands/token/inspect.ts'
import { tokenRevoke } from './commands/token/revoke.ts'
import { userCreate } from './commands/user/create.ts'
import { userDisable, userEnable } from './commands/user/disable.ts'
import { userList } from './commands/user/list.ts'
import { userResetFactors } from './commands/user/reset-factors.ts'
import { userResetPassword } from './commands/user/reset-password.ts'
import type { Group, Verb } from './verb.ts'

export const commands: readonly (Verb | Group)[] = [
  start,
  plan,
  apply,
  exportAll,
  {
    name: 'client',
    says: 'the applications that ask for tokens',
    verbs: [clientCreate, clientList, clientShow, clientRotateSecret, clientDelete],
  },
  {
    name: 'user',
    says: 'the people who sign in',
    verbs: [userCreate, userList, userDisable, userEnable, userResetPassword, userResetFactors],
  },
  {
    name: 'registration-token',
    says: 'the tokens that let somebody register clients',
    verbs: [registrationTokenCreate, registrationTokenList, registrationTokenRevoke],
  },
  { name: 'token', says: accessToken.says, alone: accessToken, verbs: [tokenInspect, tokenRevoke] },
  { name: 'key', says: 'the signing keys and their life', verbs: [keyList, keyRotate, keyDrop, keyRewrap] },
  {
    name: 'tenant',
    says: 'the tenants of this deployment',
    verbs: [tenantList, tenantCreate, tenantDisable, tenantEnable, tenantRemove],
  },
  {
    name: 'audit',
    says: 'the log of everything that happened',
    verbs: [auditTail, auditExport, auditVerify, auditHead],
  },
  { name: 'mail', says: 'what is sent to people', verbs: [mailTest] },
  { name: 'config', says: 'the settings', verbs: [configPrint, configCheck] },
  login,
  whoami,
  logout,
  backup,
  restore,
  doctor,
]
