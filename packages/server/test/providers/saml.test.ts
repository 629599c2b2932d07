/** Signing in by a provider of SAML 2.0, over SQLite. */
import { samlSuite } from './saml-suite.ts'

samlSuite('sqlite')
