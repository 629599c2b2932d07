/** Options of every flow at an issuer: the client, how it authenticates, and what its token is bound to. */
import { caOption, issuerArgument } from '../login/target.ts'
import type { Argument, CommandOption } from '../program/command.ts'

const file = { takes: 'text', placeholder: 'file' } as const

export const flowArguments: readonly Argument[] = [
  {
    ...issuerArgument,
    description: 'the address of the authorization server, anybody’s; by default the one of these settings',
  },
]

export const flowOptions: readonly CommandOption[] = [
  { flag: '--client-id', description: 'the client that asks', takes: 'text', placeholder: 'id' },
  { flag: '--secret-file', description: 'a file with its secret (client_secret_basic)', ...file },
  { flag: '--post', description: 'send the secret in the body (client_secret_post)' },
  { flag: '--key', description: 'a file with its private key, PEM or JWK (private_key_jwt)', ...file },
  { flag: '--certificate', description: 'a file with its certificate, PEM: mutual TLS', ...file },
  { flag: '--certificate-key', description: 'a file with the private key of the certificate, PEM', ...file },
  { flag: '--dpop', description: 'bind the token to a key made for this run (RFC 9449)' },
  { flag: '--scope', description: 'what to ask for', takes: 'text', placeholder: 'scopes' },
  { flag: '--resource', description: 'the API that the token is for (RFC 8707)', takes: 'text', placeholder: 'uri' },
  {
    flag: '--call',
    description: 'an address to GET with the token, and with its proof',
    takes: 'text',
    placeholder: 'url',
  },
  caOption,
]
