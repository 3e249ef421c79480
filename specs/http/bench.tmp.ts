import { apiAnswer } from '../bench/http.ts';
for (let i = 0; i < 3; i++) console.log('RATIO', JSON.stringify(await apiAnswer()));
