import { embeddedApi } from './specs/bench/embedded.ts';
console.log(await embeddedApi());
