import { apiAnswer } from '../bench/http.ts';
console.log(JSON.stringify(await apiAnswer()));
