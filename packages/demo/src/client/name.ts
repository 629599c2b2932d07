/** The name of the demo's web client: on its pages, in its registration, and so wherever people give consent. */
export const webClientName = 'Orders desk'
