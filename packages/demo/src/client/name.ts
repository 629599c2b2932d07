/** What the demo's web client is called: on its own pages, where it is registered, and so wherever people are asked. */
export const webClientName = 'Orders desk'
