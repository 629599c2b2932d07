/** Signing in by a provider of SAML 2.0, over PostgreSQL. */
import { samlSuite } from './saml-suite.ts'

samlSuite('postgres')
