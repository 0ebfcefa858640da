import v8 from 'node:v8'
import vm from 'node:vm'

v8.setFlagsFromString('--expose-gc')

/** Lets go of everything that nobody holds, so that what is left can be counted. */
export const collectGarbage = vm.runInNewContext('gc') as () => void
