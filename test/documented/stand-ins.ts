/** What stands in a test for the addresses and files that a page names: a reader has their own. */

export interface Addresses {
  readonly issuer: string
  readonly orders: string
  readonly mtls: string
  readonly ordersMtls: string
}

export function standIns({ issuer, orders, mtls, ordersMtls }: Addresses): Readonly<Record<string, string>> {
  return {
    'https://localhost:8443': issuer,
    'https://localhost:8444': orders,
    'https://localhost:8445': mtls,
    'https://localhost:8447': ordersMtls,
    'https://login.example.com': issuer,
    'https://auth.example.com': issuer,
    'https://id.example.com': issuer,
    'https://issuer.example': issuer,
    'https://api.example': orders,
  }
}

/** Each as a whole: `https://api.example` is not the beginning of `https://api.example.com`. */
export function replaced(text: string, by: Readonly<Record<string, string>>): string {
  const longestFirst = Object.keys(by).toSorted((a, b) => b.length - a.length)
  const names = longestFirst.map((it) => it.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
  return text.replaceAll(new RegExp(`(?<!\\w)(?:${names.join('|')})(?![\\w-]|\\.\\w)`, 'g'), (name) => by[name] ?? name)
}
