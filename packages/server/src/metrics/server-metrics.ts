/** The list of the server's own metrics. Those of the runtime (`process_…`, `nodejs_…`) are added to these. */
export const serverMetrics = {
  grantor_http_requests_total: { help: 'Requests answered, by route and status.', labels: ['route', 'status'] },
  grantor_http_request_duration_seconds: {
    help: 'Time from the parsed request to its answer, by route, without what a long poll waits for news.',
    labels: ['route'],
  },
  grantor_refusals_total: { help: 'Requests refused, by route and reason.', labels: ['route', 'reason'] },
  grantor_tokens_issued_total: { help: 'Access tokens issued, by grant type.', labels: ['grant_type'] },
  grantor_outbound_total: {
    help: 'Documents fetched from and messages delivered to other servers, by outcome.',
    labels: ['outcome'],
  },
  grantor_certificate_expiry_timestamp_seconds: {
    help: 'When the certificate that this server shows ends; 0 where a proxy shows one.',
    labels: [],
  },
  grantor_ready: { help: 'Whether /health/ready answers 200: 1 or 0. On the management listener only.', labels: [] },
  grantor_deployment_info: {
    help: 'Always 1; its labels name the deployment: the issuer, and the epoch of the database. On the management listener only.',
    labels: ['issuer', 'epoch'],
  },
} as const satisfies Record<string, { readonly help: string; readonly labels: readonly string[] }>

export type ServerMetricName = keyof typeof serverMetrics
