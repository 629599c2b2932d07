/** The prefixes of secrets. */

/** Typed prefixes of secrets, so that a leaked string names itself. */
export const secretPrefix = Object.freeze({
  code: 'gc_',
  refresh: 'gr_',
  access: 'ga_',
  device: 'gd_',
  clientSecret: 'gs_',
  apiKey: 'gk_',
  /** RFC 7592: manages one registration. */
  registrationAccess: 'gm_',
  /** RFC 7591 §3: lets somebody register. */
  initialAccess: 'gt_',
  /** In cookies: a session, the browser it is in, a sign-in on its way, a browser that is trusted. */
  session: 'gl_',
  browser: 'gb_',
  interaction: 'gi_',
  rememberedBrowser: 'gw_',
  /** In mails: a new password, an address confirmed. */
  mailedLink: 'gp_',
})

export type SecretPrefix = (typeof secretPrefix)[keyof typeof secretPrefix]
