/** The transmitter's configuration document: SSF 1.0 §7.1. */
import { endpointPath } from '../documents/capabilities.ts'
import type { JsonObject } from '../types.ts'
import { deliveryMethod } from './event-types.ts'

export const ssfPath = endpointPath.sharedSignals

export const ssfEndpoints = Object.freeze({
  streams: `${ssfPath}/streams`,
  status: `${ssfPath}/status`,
  addSubject: `${ssfPath}/subjects/add`,
  removeSubject: `${ssfPath}/subjects/remove`,
  verification: `${ssfPath}/verification`,
  poll: `${ssfPath}/poll`,
})

export const ssfConfiguration = (issuer: string): JsonObject => ({
  spec_version: '1_0',
  issuer,
  jwks_uri: `${issuer}${endpointPath.jwks}`,
  delivery_methods_supported: [deliveryMethod.push, deliveryMethod.poll],
  configuration_endpoint: `${issuer}${ssfEndpoints.streams}`,
  status_endpoint: `${issuer}${ssfEndpoints.status}`,
  add_subject_endpoint: `${issuer}${ssfEndpoints.addSubject}`,
  remove_subject_endpoint: `${issuer}${ssfEndpoints.removeSubject}`,
  verification_endpoint: `${issuer}${ssfEndpoints.verification}`,
  authorization_schemes: [{ spec_urn: 'urn:ietf:rfc:6749' }, { spec_urn: 'urn:ietf:rfc:6750' }],
  // Of the people whom the client may know: those who have given it some consent.
  default_subjects: 'ALL',
})
