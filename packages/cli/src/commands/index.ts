/** The list of commands. Adding one means one file and one line here. */
import { withNounVerbs } from '../nouns/groups.ts'
import { type CommandSection, outputOptions } from '../program/command.ts'
import { apiCheck } from './api/check.ts'
import { apiKeyCreate } from './api-key/create.ts'
import { apiKeyList } from './api-key/list.ts'
import { apiKeyRevoke } from './api-key/revoke.ts'
import { apply } from './apply.ts'
import { auditExport } from './audit/export.ts'
import { auditHead } from './audit/head.ts'
import { auditTail } from './audit/tail.ts'
import { auditVerify } from './audit/verify.ts'
import { backup } from './backup.ts'
import { clientCreate } from './client/create.ts'
import { clientDelete } from './client/delete.ts'
import { clientList } from './client/list.ts'
import { clientRotateSecret } from './client/rotate-secret.ts'
import { clientShow } from './client/show.ts'
import { completionOf } from './completion.ts'
import { configCheck } from './config/check.ts'
import { configPrint } from './config/print.ts'
import { doctor } from './doctor.ts'
import { exportAll } from './export.ts'
import { gateway } from './gateway/gateway.ts'
import { importGroup } from './import/import.ts'
import { init } from './init/init.ts'
import { keyDrop } from './key/drop.ts'
import { keyList } from './key/list.ts'
import { keyRewrap } from './key/rewrap.ts'
import { keyRotate } from './key/rotate.ts'
import { accessToken } from './login/access-token.ts'
import { login } from './login/login.ts'
import { logout } from './login/logout.ts'
import { whoami } from './login/whoami.ts'
import { mailTest } from './mail/send-test.ts'
import { migrateStatus } from './migrate/status.ts'
import { migrateUp } from './migrate/up.ts'
import { performGroup } from './perform/perform.ts'
import { plan } from './plan.ts'
import { registrationTokenCreate } from './registration-token/create.ts'
import { registrationTokenList } from './registration-token/list.ts'
import { registrationTokenRevoke } from './registration-token/revoke.ts'
import { restore } from './restore.ts'
import { start } from './start/start.ts'
import { tenantCreate } from './tenant/create.ts'
import { tenantDisable, tenantEnable } from './tenant/disable.ts'
import { tenantList } from './tenant/list.ts'
import { tenantRemove } from './tenant/remove.ts'
import { tokenInspect } from './token/inspect.ts'
import { tokenRevoke } from './token/revoke.ts'
import { trust } from './trust.ts'
import { userAdministrator } from './user/administrator.ts'
import { userCreate } from './user/create.ts'
import { userDisable, userEnable } from './user/disable.ts'
import { userList } from './user/list.ts'
import { userResetFactors } from './user/reset-factors.ts'
import { userResetPassword } from './user/reset-password.ts'

const sections: readonly CommandSection[] = [
  {
    heading: 'Running',
    commands: [
      init,
      start,
      trust,
      doctor,
      backup,
      restore,
      { name: 'migrate', description: 'the schema of the database', commands: [migrateStatus, migrateUp] },
      gateway,
    ],
  },
  { heading: 'Declaring', commands: [plan, apply, exportAll, importGroup] },
  {
    heading: 'Administering',
    commands: withNounVerbs([
      { name: 'client', commands: [clientCreate, clientList, clientShow, clientRotateSecret, clientDelete] },
      {
        name: 'user',
        commands: [
          userCreate,
          userList,
          userAdministrator,
          userDisable,
          userEnable,
          userResetPassword,
          userResetFactors,
        ],
      },
      { name: 'api-key', commands: [apiKeyCreate, apiKeyList, apiKeyRevoke] },
      { name: 'tenant', commands: [tenantList, tenantCreate, tenantDisable, tenantEnable, tenantRemove] },
      {
        name: 'registration-token',
        description: 'the tokens that let somebody register clients',
        commands: [registrationTokenCreate, registrationTokenList, registrationTokenRevoke],
      },
      { name: 'key', commands: [keyList, keyRotate, keyDrop, keyRewrap] },
      { name: 'mail', commands: [mailTest] },
    ]),
  },
  {
    heading: 'Looking',
    commands: [
      {
        name: 'audit',
        description: 'the log of everything that happened',
        commands: [auditTail, auditExport, auditVerify, auditHead],
      },
      { name: 'config', description: 'the settings', commands: [configPrint, configCheck] },
      { name: 'api', description: 'APIs, anybody’s', commands: [apiCheck] },
    ],
  },
  {
    heading: 'Signing in and trying',
    commands: [
      login,
      whoami,
      logout,
      {
        name: 'token',
        description: accessToken.description,
        defaultCommand: accessToken,
        commands: [tokenInspect, tokenRevoke],
      },
      performGroup,
    ],
  },
]

export const commands: readonly CommandSection[] = [
  ...sections,
  { heading: 'In a shell', commands: [completionOf(sections, outputOptions)] },
]
