/** The published face of the server room. */
export { compose, type House, type Role, sqliteFile } from './compose.ts'
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
export { localCaFile } from './local-ca.ts'
export { smtpFrom } from './mail/from-settings.ts'
export { masterKeyFile } from './master-key.ts'
export { createPrivateFile, makePrivateFolder, replacePrivateFile } from './private-file.ts'
export { type Certificate, certificate } from './tls.ts'
export { CannotStart } from './trouble.ts'
