/** The name of an event: the last part of its type, where that is an address. */
export const signalName = (type: string): string => type.slice(type.lastIndexOf('/') + 1)
