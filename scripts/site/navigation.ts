/** Where each page of the documentation stands: the one list of groups, in the order of the site. */

export interface NavigationGroup {
  readonly name: string
  /** Files of this repository; a pattern stands for all that it matches, by name, and that no earlier group has. */
  readonly files: readonly string[]
  /** Closed in the menu until one of its pages is read. */
  readonly folded?: true
}

export const navigation: readonly NavigationGroup[] = [
  {
    name: 'Start',
    files: ['docs/index.md', 'docs/add-sign-in.md', 'docs/works-with.md', 'docs/console.md', 'docs/perform.md'],
  },
  {
    name: 'Guides',
    files: [
      'docs/resource-toolkit.md',
      'docs/machine-to-machine.md',
      'docs/mcp.md',
      'docs/gateway.md',
      'docs/device-flow.md',
      'docs/api-keys.md',
      'docs/tenants.md',
      'docs/branding.md',
      'docs/sign-up.md',
      'docs/providers.md',
      'docs/registration.md',
      'docs/logout.md',
      'docs/webhooks.md',
      'docs/shared-signals.md',
      'docs/languages.md',
      'docs/token-exchange.md',
      'docs/workload-identity.md',
      'docs/strong-clients.md',
      'docs/authorization-details.md',
      'docs/ciba.md',
      'docs/status-lists.md',
      'docs/api-check.md',
    ],
  },
  {
    name: 'Reference',
    files: [
      'docs/configuration.md',
      'docs/cli.md',
      'docs/declared-objects.md',
      'docs/admin-api.md',
      'docs/conventions.md',
      'docs/errors.md',
      'docs/events.md',
      'docs/conformance.md',
    ],
  },
  {
    name: 'Operate',
    files: [
      'docs/deploy.md',
      'docs/upgrade.md',
      'docs/operations.md',
      'docs/high-availability.md',
      'docs/administrators.md',
      'docs/groups-and-roles.md',
      'docs/claims.md',
      'docs/policy.md',
      'docs/sign-in.md',
      'docs/import.md',
      'docs/migrate-from-keycloak.md',
      'docs/migrate-from-auth0.md',
      'docs/scim.md',
      'docs/mail.md',
      'docs/storage.md',
      'docs/capacity.md',
    ],
  },
  { name: 'Security', files: ['SECURITY.md', 'docs/promises.md', 'docs/security-advisories.md'] },
  {
    name: 'Project',
    files: ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'STYLE.md', 'docs/testing.md', 'bench/README.md', 'CHANGELOG.md'],
  },
  // Whatever has no better place yet.
  { name: 'More', files: ['docs/*.md'] },
  { name: 'Decisions', files: ['docs/decisions/*.md'], folded: true },
]

/** Files that are read as something else on the site: the first page of the repository, and a folder. */
export const aliases: Readonly<Record<string, string>> = { 'README.md': 'docs/index.md' }

/** `docs/mcp.md` is `mcp`, `SECURITY.md` is `security`: the address of a page without its ending. */
export function addressOf(file: string): string {
  if (file === 'bench/README.md') return 'performance'
  return file
    .replace(/^docs\//, '')
    .replace(/\.md$/, '')
    .toLowerCase()
}
