import { pictureRules, tokenSheet } from '../../diagrams/style.ts';
import { type Markup, whole } from './html.ts';

const frame = `
*,*::before,*::after{box-sizing:border-box}
html{font:14px/1.5 var(--sans);color:var(--ink);background:var(--page);font-variant-numeric:tabular-nums;scroll-padding-top:60px}
body{margin:0 auto;padding:24px 20px 80px;max-width:1240px}
h1,h2,h3,p,dl,dd,ul,ol,figure,pre,fieldset{margin:0;padding:0}
ul,ol{list-style:none}
fieldset{border:0}
h1{font-size:26px;line-height:1.2;font-weight:680;letter-spacing:-.018em}
h2{font-size:18px;font-weight:660;letter-spacing:-.01em;display:inline}
h3{font-size:13.5px;font-weight:640;margin:0 0 6px}
a{color:var(--accent);text-decoration:none}
a:hover{text-decoration:underline}
code,pre,.mono{font:12.5px/1.45 var(--mono)}
small{display:block;font-size:12px;color:var(--muted)}
em{font-style:normal;color:var(--muted)}
.muted{color:var(--muted)}
.small{font-size:12.5px}
.nowrap{white-space:nowrap}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:4px}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.skip{position:absolute;left:-999px;background:var(--surface);padding:8px 12px;z-index:3}
.skip:focus{left:20px;top:8px}
header{margin-bottom:16px}
[hidden]{display:none!important}
`;

const tables = `
.scroll{overflow-x:auto;background:var(--surface);border:1px solid var(--line);border-radius:10px}
table{border-collapse:collapse;width:100%}
th,td{padding:7px 10px;text-align:left;vertical-align:top;border-bottom:1px solid var(--line)}
tbody:last-child tr:last-child>*,tfoot tr>*{border-bottom:0}
thead th{font-size:12px;font-weight:600;color:var(--muted);vertical-align:bottom}
tbody th{font-weight:600}
.n{text-align:right;white-space:nowrap}
.overview td.n span{color:var(--muted);font-size:12px}
.overview .chip{margin-left:6px;font-size:11px;line-height:16px}
.overview tfoot th,.overview tfoot td{font-weight:650;border-top:1px solid var(--line-strong)}
.overview tbody tr:hover{background:var(--sunk)}
.good{color:var(--good)}
td.bad,.missed,.never{color:var(--bad);font-weight:650}
.mix{min-width:150px;white-space:nowrap}
.bars{display:inline-flex;gap:2px;width:80px;height:6px;margin-right:8px;vertical-align:2px}
.bar{border-radius:2px;min-width:3px}
.bar-stated{background:var(--idle)}
.bar-inferred{background:var(--waiting)}
.bar-ours{background:var(--unknown)}
.mix-words{font-size:12px;color:var(--muted);white-space:nowrap}
`;

const parts = `
.result{margin:0 0 16px;padding:12px 16px;border-radius:10px;border:1px solid}
.result-fine{color:var(--good);background:var(--good-soft);border-color:var(--good)}
.result-wrong{color:var(--bad);background:var(--bad-soft);border-color:var(--bad)}
.result-doubt{color:var(--waiting);background:var(--waiting-soft);border-color:var(--waiting)}
.result a{color:inherit;text-decoration:underline}
.chip{display:inline-block;padding:0 8px;border-radius:10px;font-size:12px;line-height:20px;font-weight:600;white-space:nowrap;border:1px solid transparent}
.chip-stated{color:var(--idle);background:var(--idle-soft)}
.chip-inferred{color:var(--waiting);background:var(--waiting-soft);border-color:var(--waiting)}
.chip-ours{color:var(--unknown);background:var(--unknown-soft);border-color:var(--unknown)}
.chip-provisional,.chip-kind,.chip-check{color:var(--muted);border-color:var(--line-strong);font-weight:500}
.chip-fine{color:var(--good);background:var(--good-soft)}
.chip-doubt{color:var(--waiting);background:var(--waiting-soft);border-color:var(--waiting)}
.chip-wrong{color:var(--bad);background:var(--bad-soft);border-color:var(--bad)}
summary{cursor:pointer}
.legend-box{margin:12px 0 0;color:var(--muted)}
.legend-box dl{columns:2 340px;column-gap:32px;margin-top:8px;color:var(--ink)}
.legend-box dl>div{break-inside:avoid;padding:3px 0}
.legend-box dt{font-weight:640;display:inline}
.legend-box dt::after{content:': '}
.legend-box dd{display:inline;color:var(--muted)}
.tools{position:sticky;top:0;z-index:2;display:flex;flex-wrap:wrap;gap:8px 16px;justify-content:space-between;padding:10px 0;margin-top:20px;background:var(--page)}
.tools fieldset{display:flex;flex-wrap:wrap;gap:6px}
.tools label{position:relative}
.tools label input{position:absolute;opacity:0;inset:0;margin:0;width:100%;height:100%;cursor:pointer}
.tools label span,.tools button,.tools [type=search]{display:inline-block;padding:3px 12px;border:1px solid var(--line-strong);border-radius:8px;background:var(--surface);color:var(--ink);font:inherit;font-size:13px}
.tools :checked+span{background:var(--accent);border-color:var(--accent);color:var(--accent-ink)}
.tools :focus-visible+span{outline:2px solid var(--accent);outline-offset:2px}
.tools button{cursor:pointer}
.scripted{display:flex;gap:6px}
`;

const narrow = `
@media (max-width:1080px){
.overview{font-size:13px}
.overview th,.overview td{padding:6px 7px}
.overview .bars{display:none}
.overview .mix{min-width:0}
.overview .chip{display:block;border:0;padding:0;margin:0;font-weight:400}
.arrows{font-size:13px}
.figures{grid-template-columns:repeat(4,1fr)}
.arrows th,.arrows td{padding:6px 7px}
}
@media (max-width:860px){
body{padding:16px 12px 60px}
.lifecycle{padding:10px}
.lifecycle>summary{margin:-10px;padding:10px}
.overview{font-size:12.5px}
.overview th,.overview td{padding:5px 6px}
.overview thead th{font-size:11px;max-width:70px;white-space:normal}
.overview td.n span:not(.unseen){display:block;font-size:11px}
.overview .mix-words{font-size:11.5px}
.arrows{font-size:12px}
.arrows th,.arrows td{padding:6px 5px}
.arrows thead th,.arrows small{font-size:11px}
.arrows code{font-size:11.5px}
.arrows .file{display:none}
.part table{font-size:12.5px}
.part th,.part td{padding:6px}
.arrows td:nth-of-type(n){width:auto}
}
`;

const lifecycles = `
.lifecycle{margin-top:20px;padding:16px;background:var(--surface);border:1px solid var(--line);border-radius:14px;box-shadow:var(--shadow)}
.lifecycle>summary{margin:-16px;padding:14px 16px;border-radius:14px}
.lifecycle>summary .chip{margin-left:8px;vertical-align:2px}
.lifecycle[open]>summary{margin-bottom:0}
.about{margin:0 0 12px}
.faults{margin:0 0 14px;padding:12px 14px;background:var(--bad-soft);border:1px solid var(--bad);border-radius:10px}
.faults h3{color:var(--bad)}
.fault+.fault{margin-top:10px;padding-top:10px;border-top:1px solid var(--line)}
.fault pre{overflow:auto;max-height:420px;margin-top:4px;padding:8px 10px;background:var(--surface);border-radius:6px}
.fault p{margin-top:2px}
.figures{display:grid;grid-template-columns:repeat(8,1fr);gap:1px;background:var(--line);border:1px solid var(--line);border-radius:10px;overflow:hidden;margin-bottom:14px}
.figures>div{background:var(--surface);padding:8px 12px}
.figures dt{font-size:12px;color:var(--muted)}
.figures dd{font-size:17px;font-weight:640;line-height:1.4}
.figures small{display:inline;font-weight:400}
figure{margin:0 0 14px;padding:8px;border:1px solid var(--line);border-radius:10px;overflow-x:auto}
figure svg{display:block;margin:0 auto;max-width:100%;height:auto}
.arrows tbody th small{font-weight:400;font-size:11.5px;white-space:nowrap}
.arrows th a{white-space:nowrap}
.arrows .event{min-width:150px}
.arrows .event code{font-weight:600}
.arrows .source{min-width:92px}
.arrows .does{min-width:96px}
.arrows td:nth-of-type(1),.arrows td:nth-of-type(3){width:140px}
.arrows .does{width:190px}
.arrows .source{width:140px}
.arrows .does code{display:inline-block}
.group th{background:var(--sunk);color:var(--muted);font-size:12px}
.row:target{background:var(--accent-soft)}
.row-never>*{background:var(--bad-soft)}
.row-never>:first-child{box-shadow:inset 4px 0 var(--bad)}
.row-never .chip-stated{background:var(--surface)}
.walked{display:block;height:3px;border-radius:2px;background:var(--good);margin:3px 0 0 auto;min-width:2px}
.beside{margin-top:18px;display:grid;gap:18px;grid-template-columns:minmax(0,1fr)}
.pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(340px,100%),1fr));gap:18px;align-items:start}
.part{min-width:0}
details.part>summary{color:var(--muted)}
details.part .part{margin-top:8px}
.score{font-size:17px}
.survived{color:var(--bad);font-weight:600;margin-top:6px}
.places li{padding:3px 0}
.rules{display:flex;flex-wrap:wrap;gap:4px 6px;counter-reset:rule}
.rules li{counter-increment:rule;padding:0 8px;border:1px solid var(--line);border-radius:6px;white-space:nowrap}
.rules li::before{content:counter(rule) ' ';color:var(--muted);font-size:11.5px}
.held{color:var(--muted);font-size:12px}
.held .never{color:var(--bad)}
q{quotes:none}
`;

const hideAllBut = (show: string, kept: string) =>
  `body:has(#show-${show}:checked) :is(.row:not(${kept}),.group,.figures,figure,.beside,.about,.lifecycle:not(:has(${kept}))){display:none}`;

const choosing = `
${hideAllBut('never', '.row-never')}
${hideAllBut('inferred', '[data-status=inferred]')}
${hideAllBut('ours', '[data-status=ours]')}
.finding :is(.group,.figures,figure,.beside,.about){display:none}
@media print{
:root{color-scheme:light}
html{font-size:11px;background:#fff}
body{max-width:none;padding:0}
.tools,.skip{display:none}
.lifecycle{border:0;padding:0;box-shadow:none;break-before:page}
.lifecycle>summary{margin:0;padding:0 0 8px;list-style:none}
tr,figure,.fault,.part li{break-inside:avoid}
h2,h3{break-after:avoid}
.scroll,figure,.fault pre{overflow:visible;max-height:none}
*{-webkit-print-color-adjust:exact;print-color-adjust:exact}
}
`;

/** The style sheet of the page, light and dark, for screen and paper. */
export const style = (): Markup =>
  whole(`<style>${tokenSheet()}${frame}${tables}${parts}${lifecycles}${narrow}${pictureRules()}${choosing}</style>`);
