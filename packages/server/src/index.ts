/** The published face of the server room. */
export { compose, type Deployment, type ProcessRole, sqliteFile } from './compose.ts'
export { configurationPage } from './config/page.ts'
export { incoherences, speaksTls, usesPostgres } from './config/coherent.ts'
export { loadSettings, type Loaded, type Source, type Sources, type Surroundings } from './config/load.ts'
export {
  flagOf,
  type Setting,
  type SettingKey,
  settingKeys,
  type Settings,
  settingsList,
  variableOf,
} from './config/settings.ts'
export { defaultTenant, issuerFrom } from './issuer.ts'
export { listen, type Running } from './listen.ts'
export { localCaFile } from './tls/local-ca.ts'
export { smtpFrom } from './mail/from-settings.ts'
export { masterKeyFile } from './secrets/master-key.ts'
export { createPrivateFile, makePrivateFolder, replacePrivateFile } from './secrets/private-file.ts'
export { type Certificate, certificate } from './tls/certificate.ts'
export { issueCertificate, type Pair } from './tls/issue-certificate.ts'
export { CannotStart } from './start-error.ts'
