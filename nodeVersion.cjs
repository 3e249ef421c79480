// Ends the program where its Node is too old. Written so that every Node reads it: the build puts it before its bundles.
var needed = require('./package.json').engines.node.replace('>=', '').split('.');
var own = process.versions.node.split('.');
if (+own[0] < +needed[0] || (+own[0] === +needed[0] && +own[1] < +needed[1])) {
  process.stderr.write('Core needs Node ' + needed.join('.') + ' or later, this is ' + process.versions.node + '\n');
  process.exit(2);
}
