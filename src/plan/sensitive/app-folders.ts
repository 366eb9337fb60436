/** Folders of an app's own code, in a path that begins with a `/`. */
export const APP =
  /\/(?:src|sources?|apps?|libs?|client|server|components|pages|views|routes|tests?|__tests__|specs?|e2e|fixtures)\//
