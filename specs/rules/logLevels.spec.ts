import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { levelOf } from '../../rules/serviceLog/level.ts';
import type { LogLevel } from '../../rules/serviceLog/levels.ts';
import { suite } from '../support/suite.ts';

const spec = suite('levels of log lines');
type Corpus = Readonly<Record<LogLevel, readonly string[]>>;

const formats: Readonly<Record<string, Partial<Corpus>>> = {
  'JSON and logfmt': {
    error: [
      '{"level":"error","msg":"x"}',
      '{"level":50,"msg":"pino"}',
      '{"severity":"CRITICAL"}',
      ' {"lvl":"fatal"}',
      '{"log.level":"ERROR"}',
      '{"log":{"level":"error"},"message":"Elastic"}',
      '{"error_severity":"FATAL","message":"Postgres"}',
      '{"message":"Monolog","level":400,"level_name":"ERROR"}',
      '{"level":"error","msg":"a line that was cut off after 16 ki',
      '{"short_message":"GELF","level":3}',
      'time=2026-01-01T00:00:00Z level=error msg="x"',
      'level="fatal" msg=x',
    ],
    warn: [
      '{"level":"warning"}',
      '{"level":40}',
      '{"level":300,"message":"Monolog"}',
      '{"@t":"2026-01-01","@mt":"Serilog","@l":"Warning"}',
      '{"LogLevel":"Warning","Message":".NET"}',
      '{"t":{"$date":"2026-01-01"},"s":"W","c":"NETWORK","id":1,"msg":"MongoDB"}',
      'level=warn msg=x',
      'time="2026-01-01T00:00:00Z" level=warning msg="disk nearly full"',
    ],
    info: [
      '{"level":"info"}',
      '{"level":30}',
      '{"message":"no level"}',
      '{"message":"Monolog","level":200}',
      '{broken',
      '{"level":-1}',
      '{"s":"E","kind":"of another program"}',
      'level=notice msg=x',
      'sublevel=error',
    ],
    debug: ['{"level":"trace"}', '{"level":20}', '{"short_message":"GELF","level":7}', 'level=debug'],
  },
  'klog and glog': {
    error: ['E0102 15:04:05.123456       1 main.go:10] broke', 'F0102 15:04:05.123456       1 main.go:10] broke'],
    warn: ['W0102 15:04:05.123456       1 main.go:10] hm', 'W20260102 15:04:05.123456 1 main.cc:10] hm'],
    info: ['I0102 15:04:05.123456       1 main.go:10] fine'],
  },
  'words alone': {
    error: ['ERROR: broke', 'error: broke', '[error] broke', '[ERROR] broke', '<ERR> broke', 'panic: broke'],
    warn: ['WARN hm', '[warn] hm', 'warning: hm', 'DEPRECATION WARNING: x is deprecated'],
    info: ['INFO fine', '[info] fine'],
    debug: ['DEBUG x', '[debug] x', 'verbose: x'],
  },
  zap: {
    error: [
      '2026-01-01T00:00:00.000Z\terror\tmain.go:10\tfailed to connect',
      '2026-01-01T00:00:00.000Z\tERROR\tsetup\tmain.go:10\tfailed',
      '1.7672256e+09\terror\tmain.go:10\tfailed',
      'server\terror\tfailed to connect',
    ],
    warn: [
      '2026-01-01T00:00:00.000Z\twarn\tmain.go:10\tdisk nearly full',
      '2026-01-01T00:00:00.000+0100\t\u001b[33mWARN\u001b[0m\tmain.go:10\tdisk nearly full',
      '2026-01-01T00:00:00.000Z warn main.go:10 disk nearly full',
    ],
    info: ['2026-01-01T00:00:00.000Z\tinfo\tmain.go:10\tno error seen'],
    debug: ['2026-01-01T00:00:00.000Z\tdebug\tmain.go:10\tx'],
  },
  'logrus, zerolog, slog, hclog and log of Go': {
    error: [
      'ERRO[0000] failed to connect',
      '3:04PM ERR failed to connect error="refused"',
      '2026/01/01 00:00:00 ERROR failed to connect',
      '2026-01-01T00:00:00.000Z [ERROR] agent: failed',
      '2026/01/01 00:00:00 error failed to connect',
      '2026/01/01 00:00:00 Error connecting to the database',
      '2026/01/01 00:00:00 http: panic serving 10.0.0.1:1: broke',
      'fatal error: all goroutines are asleep - deadlock!',
      'FATA[0012] failed to start',
    ],
    warn: ['WARN[0000] disk nearly full', '3:04PM WRN disk nearly full', '2026-01-01T00:00:00Z WRN disk nearly full'],
    info: ['INFO[0000] started', '2026/01/01 00:00:00 http: TLS handshake error from 10.0.0.1:1: EOF'],
    debug: ['DEBU[0000] x', '3:04PM DBG x', 'TRAC[0000] x'],
  },
  'nginx, Apache, HAProxy and Envoy': {
    error: [
      'nginx: [emerg] bind() to 0.0.0.0:80 failed',
      '2026/01/01 00:00:00 [error] 1#1: broke',
      '2026/01/01 00:00:00 [emerg] 1#1: broke',
      '[Thu Jan 01 00:00:00.000000 2026] [core:error] [pid 1] AH00126: broke',
      '[ALERT]    (1) : broke',
    ],
    warn: [
      'nginx: [warn] the "user" directive makes sense only for root',
      '[Thu Jan 01 00:00:00.000000 2026] [mpm_event:warn] [pid 1:tid 1] hm',
      '[WARNING]  (1) : hm',
      '[2026-01-01 00:00:00.000][1][warning][config] [source/x.cc:1] hm',
    ],
    info: [
      '10.0.0.1 - - [01/Jan/2026:00:00:00 +0000] "GET /error HTTP/1.1" 500 12',
      '2026/01/01 00:00:00 [notice] 1#1: start worker processes',
    ],
  },
  'npm, Node and pino-pretty': {
    error: [
      'npm ERR! code ENOENT',
      'npm error code ENOENT',
      'TypeError: x is not a function',
      '[Error: x]',
      'Uncaught Error: x',
      '[00:00:00.123] ERROR (1): broke',
      '[00:00:00.123] \u001b[31mERROR\u001b[39m (1): broke',
      '[Nest] 1  - 01/01/2026, 12:00:00 AM   ERROR [Http] broke',
      ' ⨯ failed to compile',
    ],
    warn: [
      'npm WARN deprecated x@1.0.0',
      'npm warn deprecated x@1.0.0',
      '(node:1) Warning: hm',
      '(node:1) [DEP0005] DeprecationWarning: Buffer() is deprecated',
      '[Nest] 1  - 01/01/2026, 12:00:00 AM    WARN [Http] hm',
      ' ⚠ hm',
      'warn  - hm',
    ],
    info: ['npm notice new version', '> next start', 'npm start'],
  },
  'Postgres, MySQL and Redis': {
    error: [
      '2026-01-01 00:00:00.000 UTC [12] ERROR:  relation "x" does not exist',
      '2026-01-01 00:00:00.000 CET [12] app@shop FATAL:  password authentication failed',
      '2026-01-01T00:00:00.000000Z 0 [ERROR] [MY-010119] [Server] Aborting',
    ],
    warn: [
      '2026-01-01 00:00:00.000 UTC [12] WARNING:  there is no transaction in progress',
      '2026-01-01T00:00:00.000000Z 0 [Warning] [MY-010068] [Server] CA certificate is self signed.',
      '1:M 01 Jan 2026 00:00:00.000 # WARNING Memory overcommit must be enabled!',
      '1:M 01 Jan 2026 00:00:00.000 # Server initialized',
    ],
    info: [
      '2026-01-01 00:00:00.000 UTC [12] LOG:  checkpoint starting: time',
      '2026-01-01T00:00:00.000000Z 0 [Note] [MY-010747] [Server] Plugin is disabled.',
      '1:M 01 Jan 2026 00:00:00.000 * Ready to accept connections tcp',
    ],
    debug: ['1:M 01 Jan 2026 00:00:00.000 - 1 clients connected'],
  },
  'Rails and Ruby': {
    error: [
      'E, [2026-01-01T00:00:00.000000 #12] ERROR -- : broke',
      'F, [2026-01-01T00:00:00.000000 #12] FATAL -- : [1] broke',
    ],
    warn: ['W, [2026-01-01T00:00:00.000000 #12]  WARN -- : hm'],
    info: ['I, [2026-01-01T00:00:00.000000 #12]  INFO -- : Completed 500 in 3ms'],
    debug: ['D, [2026-01-01T00:00:00.000000 #12] DEBUG -- : x'],
  },
  Python: {
    error: [
      'ERROR:root:failed to connect',
      '2026-01-01 00:00:00,123 - shop - ERROR - failed to connect',
      '2026-01-01 00:00:00,123 ERROR broke',
      '[2026-01-01 00:00:00 +0000] [12] [CRITICAL] broke',
      '[2026-01-01 00:00:00,000: ERROR/MainProcess] Task failed',
      '2026-01-01 00:00:00.123 | ERROR    | shop:pay:10 - broke',
      'CRITICAL: broke',
      'Traceback (most recent call last):',
      '2026-01-01 00:00:00,123 shop.pay ERROR    broke',
    ],
    warn: [
      'WARNING:shop.pay:disk nearly full',
      '2026-01-01 00:00:00,123 - shop.pay - WARNING - hm',
      '2026-01-01 00:00:00,123 - the shop - warning - hm',
      'WARNING:  hm',
      '[01/Jan/2026 00:00:00] WARNING [django.request:241] Not Found: /x',
      '/app/x.py:10: DeprecationWarning: hm',
      '12:04:31 WARNING hm',
    ],
    info: ['INFO:     10.0.0.1:1 - "GET /error HTTP/1.1" 500', 'INFO:root:error handling is on'],
    debug: ['DEBUG:root:x', '2026-01-01 00:00:00,123 - shop - DEBUG - x'],
  },
  'log4j, Logback, Spring, Tomcat and Elasticsearch': {
    error: [
      '2026-01-01 00:00:00,123 [main] ERROR com.shop.Pay - broke',
      '2026-01-01T00:00:00.000Z ERROR 1 --- [main] c.s.Pay : broke',
      '[2026-01-01T00:00:00,000][ERROR][o.e.b.Bootstrap] [node] broke',
      '01-Jan-2026 00:00:00.000 SEVERE [main] org.apache.catalina broke',
      'java.lang.NullPointerException: x is null',
      'Exception in thread "main" java.lang.Error',
    ],
    warn: [
      '00:00:00.123 [main] WARN com.shop.Pay -- hm',
      '2026-01-01T00:00:00.000Z  WARN 1 --- [main] c.s.Pay : hm',
      '[2026-01-01T00:00:00,000][WARN ][o.e.b.Bootstrap] [node] hm',
      '[2026-01-01 00:00:00,000] WARN Session expired (kafka.x)',
      '2026-01-01 00:00:00,000 [myid:1] - WARN  [main:Server@1] - hm',
    ],
    info: ['2026-01-01 00:00:00,123 [main] INFO  com.shop.Pay - no error'],
    debug: ['FINE: x', '2026-01-01 00:00:00,123 [main] TRACE com.shop.Pay - x'],
  },
  'systemd and syslog': {
    error: [
      '<3>failed to connect',
      '<11>Jan  1 00:00:00 host shop[1]: broke',
      'Jan  1 00:00:00 host shop[1]: error: broke',
    ],
    warn: ['<4>disk nearly full', '<12>1 2026-01-01T00:00:00Z host shop 1 - - hm', 'sshd[12]: warning: hm'],
    info: ['<6>started', '<5>started', '<14>Jan  1 00:00:00 host shop[1]: fine'],
    debug: ['<7>x'],
  },
  'PHP, .NET, Erlang and Rust': {
    error: [
      'PHP Fatal error:  Uncaught Exception: x',
      '[01-Jan-2026 00:00:00 UTC] PHP Parse error:  x',
      '[2026-01-01T00:00:00+00:00] app.ERROR: broke {} []',
      'fail: Microsoft.AspNetCore.Server.Kestrel[13]',
      '[00:00:00 ERR] broke',
      '=ERROR REPORT==== 1-Jan-2026::00:00:00 ===',
      '[2026-01-01T00:00:00Z ERROR shop] broke',
      "thread 'main' panicked at src/main.rs:1:1:",
    ],
    warn: [
      'PHP Warning:  hm in /app/x.php',
      '[01-Jan-2026 00:00:00] WARNING: [pool www] child 1 exited',
      '[2026-01-01 00:00:00] production.WARNING: hm',
      'warn: Microsoft.AspNetCore.Hosting[0]',
      '[00:00:00 WRN] hm',
      '2026-01-01 00:00:00.000000+00:00 [warning] <0.1.0> hm',
      '\u001b[2m2026-01-01T00:00:00.000000Z\u001b[0m \u001b[33m WARN\u001b[0m shop: hm',
    ],
    info: ['info: Microsoft.Hosting.Lifetime[0]', '[2026-01-01 00:00:00] production.INFO: no error'],
    debug: ['dbug: Microsoft.AspNetCore[0]', '[00:00:00 VRB] x'],
  },
  sentences: {
    info: [
      '',
      'Server listens on 8080',
      'error handling is on',
      'Errors are counted',
      'Exception handlers are on',
      'Warn me if you can',
      'warning signs were seen on the road',
      'we saw warning signs',
      '3 warning signs were seen',
      '2026-01-01T00:00:00Z we saw warning signs',
      '2026/01/01 00:00:00 The road has warning signs',
      'Note: warning signs ahead',
      'GET /error 200',
      'an error - of no consequence',
    ],
  },
};

for (const [format, corpus] of Object.entries(formats))
  spec(`CLI-171 the level of a line is read from ${format}`, () => {
    for (const [level, lines] of Object.entries(corpus))
      for (const line of lines) assert.is(levelOf(line), level, line);
  });

const bad: Readonly<Record<string, LogLevel>> = {
  warn: 'warn',
  warning: 'warn',
  error: 'error',
  err: 'error',
  fatal: 'error',
  critical: 'error',
  panic: 'error',
};
const aTime = fc
  .date({ noInvalidDate: true, min: new Date('2002-01-01'), max: new Date('2100-01-01') })
  .chain((date) => {
    const iso = date.toISOString();
    return fc.constantFrom(
      iso,
      iso.replace('T', ' ').replace('Z', ''),
      `${iso.slice(0, 10).replaceAll('-', '/')} ${iso.slice(11, 19)}`,
      `[${iso}]`,
      `[${iso.replace('T', ' ').slice(0, 19)} +0000]`,
      iso.slice(11, 23),
      String(date.getTime()),
      `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC [12]`,
    );
  });
const message = fc.stringMatching(/^[a-z]{1,8}( [a-z0-9.:/=]{1,8}){0,5}$/);

spec('CLI-171 a line with an error level after a time or a tab is shown in any case of letters', () => {
  const aWord = fc.constantFrom(...Object.keys(bad));
  const aCase = fc.constantFrom(
    (word: string) => word,
    (word: string) => word.toUpperCase(),
    (word: string) => word.charAt(0).toUpperCase() + word.slice(1),
  );
  const before = fc.oneof(
    fc.tuple(aTime, fc.constantFrom(' ', '  ', '\t')).map((parts) => parts.join('')),
    fc.stringMatching(/^[a-z]{1,8}\t$/),
  );
  fc.assert(
    fc.property(before, aWord, aCase, fc.constantFrom(' ', '\t', ': ', ' main.go:10 '), message, (...given) => {
      const [prefix, word, cased, after, text] = given;
      assert.is(levelOf(`${prefix}${cased(word)}${after}${text}`), bad[word]);
    }),
    { numRuns: 1_000 },
  );
});

spec('CLI-171 names of levels within a sentence are ignored', () => {
  const aWord = fc
    .stringMatching(/^[a-z]{2,9}$/)
    .filter((word) => levelOf(`00:00 ${word}`) === 'info' && word !== 'npm');
  const begun = fc.oneof(
    fc.constant(''),
    aTime.map((time) => `${time} `),
  );
  fc.assert(
    fc.property(
      begun,
      fc.array(aWord, { minLength: 2, maxLength: 5 }),
      fc.constantFrom(...Object.keys(bad)),
      aWord,
      (...given) => {
        const [prefix, words, level, last] = given;
        assert.is(levelOf(`${prefix}${words.join(' ')} ${level} ${last}`), 'info');
      },
    ),
    { numRuns: 1_000 },
  );
});

spec('the level of a line of a megabyte is read from its start in limited time', () => {
  const started = performance.now();
  for (const long of ['a'.repeat(1 << 20), '['.repeat(1 << 20), '1 '.repeat(1 << 19), '{"a":'.repeat(1 << 17)])
    assert.is(levelOf(long), 'info');
  assert.ok(performance.now() - started < 5_000, 'no expression takes forever');
});

spec.run();
