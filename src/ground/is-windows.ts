/** Whether relay runs on Windows, by how the runtime names the system: `win32 x64`. */
export function isWindows({ platform }: { readonly platform: string }): boolean {
  return platform.startsWith('win32')
}
