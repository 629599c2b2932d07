/** Disabling, enabling and deleting a tenant; the server asks for a fresh sign-in before it does. */
import { answered, ifMatch, type Versioned } from '../../api/client.ts'
import { ConfirmButton } from '../../app/items/confirm-button.tsx'
import { useAct } from '../../app/items/use-act.ts'
import { useGo } from '../../app/link.tsx'
import { tenants } from '../../messages/tenants.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/content.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { firstTenant, type Tenant } from './list.tsx'
import { useTenantCalls } from './use-tenant.ts'

const refresh = ['/v1/tenants']

export function OutOfUse({ item: { value: tenant, etag } }: { readonly item: Versioned<Tenant> }) {
  const say = useSay()
  const go = useGo()
  const { patch } = useTenantCalls(tenant.id)
  const { name } = tenant
  const disable = useAct(() => patch({ disabled: true }, etag), { done: say(tenants.disabledNow), refresh })
  const enable = useAct(() => patch({ disabled: false }, etag), { done: say(tenants.enabledNow), refresh })
  const remove = useAct(
    (api) =>
      answered(api.DELETE('/v1/tenants/{id}', { params: { path: { id: tenant.id } }, ...(ifMatch(etag) as object) })),
    { done: say(tenants.removed), ends: '/v1/tenants', draft: `tenant/${tenant.id}` },
  )
  if (tenant.id === firstTenant) return <Card title={say(tenants.dangerous)} text={say(tenants.firstStays)} />
  return (
    <Card
      title={say(tenants.dangerous)}
      text={say(tenant.disabled ? tenants.removeText : tenants.removeLater)}
      actions={
        tenant.disabled ? (
          <>
            <Button busy={enable.busy} onClick={() => void enable.run()}>
              {say(tenants.enable)}
            </Button>
            <ConfirmButton
              icon="trash"
              action={say(tenants.remove)}
              title={say(tenants.removeTitle, { name })}
              text={say(tenants.removeText)}
              busy={remove.busy}
              onConfirm={async () => {
                const done = await remove.run()
                if (done) go({ to: '/tenants' })
                return done
              }}
            />
          </>
        ) : (
          <ConfirmButton
            action={say(tenants.disable)}
            title={say(tenants.disableTitle, { name })}
            text={say(tenants.disableText)}
            busy={disable.busy}
            onConfirm={() => disable.run()}
          />
        )
      }
    />
  )
}
