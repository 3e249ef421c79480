// `npm start`: builds what is older than its sources, and runs it in this process, which gets the signals.
require('./nodeVersion.cjs');
var spawnSync = require('child_process').spawnSync;
var join = require('path').join;

var program = join(__dirname, 'dist', 'core.js');
var args = process.argv.slice(2);
var build = [join(__dirname, 'build.mjs'), '--if-newer', '--for-start'].concat(args);
var status = spawnSync(process.execPath, build, { stdio: 'inherit' }).status;
if (status !== 0) process.exit(status === null ? 1 : status);
process.argv = [process.execPath, program, 'start'].concat(args);
require(program);
