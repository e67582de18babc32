const style = (css: string) => `<style>${css}</style><p class="x">x</p>`;

/** Each way in which HTML can make a browser reach out to an address. */
const makers: Readonly<Record<string, (url: string) => string>> = {
  'img src': (u) => `<img src="${u}">`,
  'img srcset': (u) => `<img srcset="${u} 1x, ${u}?2 2x">`,
  'img sizes': (u) => `<img srcset="${u} 100w" sizes="100px">`,
  'img lazy': (u) => `<img loading="lazy" src="${u}">`,
  'img high priority': (u) => `<img fetchpriority="high" src="${u}">`,
  'img crossorigin': (u) => `<img crossorigin src="${u}">`,
  'img longdesc': (u) => `<img src="data:," longdesc="${u}">`,
  'img attribution': (u) => `<img src="data:," attributionsrc="${u}">`,
  'img lowsrc': (u) => `<img lowsrc="${u}" dynsrc="${u}">`,
  'image element': (u) => `<image src="${u}">`,
  'picture source': (u) => `<picture><source srcset="${u}"><img></picture>`,
  'input image': (u) => `<input type="image" src="${u}">`,
  'body background': (u) => `<body background="${u}">`,
  'table background': (u) => `<table background="${u}"><tr><td background="${u}">x</table>`,
  'css background': (u) => style(`.x { background: url(${u}) }`),
  'css background-image': (u) => style(`.x { background-image: image-set(url("${u}") 1x) }`),
  'css webkit image-set': (u) => style(`.x { background-image: -webkit-image-set(url(${u}) 1x) }`),
  'css cross-fade': (u) => style(`.x { background-image: -webkit-cross-fade(url(${u}), url(${u}), 50%) }`),
  'css list-style': (u) => style(`.x { display: list-item; list-style-image: url(${u}) }`),
  'css content': (u) => style(`.x::before { content: url(${u}) }`),
  'css cursor': (u) => style(`.x { cursor: url(${u}), auto }`),
  'css border-image': (u) => style(`.x { border: 1px solid; border-image: url(${u}) 1 }`),
  'css mask': (u) => style(`.x { mask: url(${u}#m) }`),
  'css mask-image': (u) => style(`.x { -webkit-mask-image: url(${u}) }`),
  'css mask-border': (u) => style(`.x { -webkit-mask-box-image: url(${u}) }`),
  'css filter': (u) => style(`.x { filter: url(${u}#f) }`),
  'css backdrop-filter': (u) => style(`.x { backdrop-filter: url(${u}#f) }`),
  'css clip-path': (u) => style(`.x { clip-path: url(${u}#c) }`),
  'css shape-outside': (u) => style(`.x { float: left; shape-outside: url(${u}) }`),
  'css offset-path': (u) => style(`.x { offset-path: url(${u}#p) }`),
  'css variable': (u) => style(`:root { --u: url(${u}) } .x { background: var(--u) }`),
  'css import': (u) => style(`@import "${u}";`),
  'css import url': (u) => style(`@import url(${u}) screen, print;`),
  'css import layer': (u) => style(`@import url("${u}") layer(a) supports(display: grid);`),
  'css font-face': (u) => style(`@font-face { font-family: F; src: url(${u}) } .x { font-family: F }`),
  'css font-face format': (u) =>
    style(`@font-face { font-family: F; src: url(${u}) format("woff2") } .x { font: 12px F }`),
  'css margin box': (u) => style(`@page { @top-left { content: url(${u}) } }`),
  'css page background': (u) => style(`@page { background: url(${u}) }`),
  'css first-letter': (u) => style(`.x::first-letter { background: url(${u}) }`),
  'css marker': (u) => style(`.x { display: list-item } .x::marker { content: url(${u}) }`),
  'css attribute selector': (u) => style(`[class^="x"] { background: url(${u}) }`),
  'css media print': (u) => style(`@media print { .x { background: url(${u}) } }`),
  'css escaped': (u) => style(`.x { background: u\\72l(${u}) }`),
  'css animation': (u) =>
    style(`@keyframes k { to { background: url(${u}) } } .x { animation: k 1ms forwards }`),
  'css namespace': (u) => style(`@namespace url(${u});`),
  'css document': (u) => style(`@-moz-document url(${u}) { .x { color: red } }`),
  'css in data url': (u) =>
    `<link rel="stylesheet" href="data:text/css,${encodeURIComponent(`@import url(${u}); body { background: url(${u}) }`)}">`,
  'style attribute': (u) => `<p style="background: url(${u})">x</p>`,
  'link stylesheet': (u) => `<link rel="stylesheet" href="${u}">`,
  'link alternate stylesheet': (u) => `<link rel="alternate stylesheet" title="a" href="${u}">`,
  'link icon': (u) => `<link rel="icon" href="${u}"><link rel="shortcut icon" href="${u}">`,
  'link apple icon': (u) => `<link rel="apple-touch-icon" href="${u}">`,
  'link mask icon': (u) => `<link rel="mask-icon" href="${u}">`,
  'link prefetch': (u) => `<link rel="prefetch" href="${u}">`,
  'link dns-prefetch': (u) => `<link rel="dns-prefetch" href="${u}">`,
  'link preconnect': (u) =>
    `<link rel="preconnect" href="${u}"><link rel="preconnect" crossorigin href="${u}">`,
  'link prerender': (u) => `<link rel="prerender" href="${u}">`,
  'link preload image': (u) => `<link rel="preload" as="image" href="${u}" imagesrcset="${u}?s 2x">`,
  'link preload font': (u) => `<link rel="preload" as="font" crossorigin href="${u}">`,
  'link preload fetch': (u) => `<link rel="preload" as="fetch" crossorigin href="${u}">`,
  'link preload script': (u) => `<link rel="preload" as="script" href="${u}">`,
  'link modulepreload': (u) => `<link rel="modulepreload" href="${u}">`,
  'link manifest': (u) => `<link rel="manifest" href="${u}">`,
  'link import': (u) => `<link rel="import" href="${u}">`,
  'link pingback': (u) => `<link rel="pingback" href="${u}">`,
  'link search': (u) => `<link rel="search" type="application/opensearchdescription+xml" href="${u}">`,
  'link next': (u) =>
    `<link rel="next" href="${u}"><link rel="canonical" href="${u}"><link rel="amphtml" href="${u}">`,
  'link dictionary': (u) => `<link rel="compression-dictionary" href="${u}"><link rel="expect" href="${u}">`,
  iframe: (u) => `<iframe src="${u}"></iframe>`,
  'iframe lazy': (u) => `<iframe loading="lazy" src="${u}"></iframe>`,
  'iframe sandbox': (u) => `<iframe sandbox="allow-scripts allow-same-origin" src="${u}"></iframe>`,
  'iframe srcdoc': (u) => `<iframe srcdoc="<img src='${u}'><link rel=prefetch href='${u}'>"></iframe>`,
  'iframe srcdoc base': (u) => `<iframe srcdoc="<base href='${u}'><img src='x.png'>"></iframe>`,
  'iframe javascript': (u) => `<iframe src="javascript:fetch('${u}')"></iframe>`,
  frameset: (u) => `<iframe srcdoc="<frameset><frame src='${u}'></frameset>"></iframe>`,
  object: (u) => `<object data="${u}"></object>`,
  'object image': (u) => `<object type="image/png" data="${u}"></object>`,
  'object codebase': (u) => `<object codebase="${u}" classid="${u}" archive="${u}"></object>`,
  embed: (u) => `<embed src="${u}">`,
  'embed svg': (u) => `<embed type="image/svg+xml" src="${u}">`,
  applet: (u) => `<applet code="x" codebase="${u}" archive="${u}"></applet>`,
  'svg image': (u) => `<svg><image href="${u}" width="9" height="9"/></svg>`,
  'svg image xlink': (u) => `<svg><image xlink:href="${u}" width="9" height="9"/></svg>`,
  'svg use': (u) => `<svg><use href="${u}#a"/></svg>`,
  'svg use xlink': (u) => `<svg><use xlink:href="${u}#a"/></svg>`,
  'svg feImage': (u) =>
    `<svg><filter id="f"><feImage href="${u}"/></filter><rect width="9" height="9" filter="url(#f)"/></svg>`,
  'svg filter': (u) => `<svg><rect width="9" height="9" filter="url(${u}#f)"/></svg>`,
  'svg fill': (u) => `<svg><rect width="9" height="9" fill="url(${u}#p)" stroke="url(${u}#s)"/></svg>`,
  'svg mask': (u) => `<svg><rect width="9" height="9" mask="url(${u}#m)" clip-path="url(${u}#c)"/></svg>`,
  'svg marker': (u) => `<svg><path d="M0 0L9 9" marker-end="url(${u}#m)"/></svg>`,
  'svg gradient': (u) =>
    `<svg><linearGradient id="g" href="${u}#g"/><rect width="9" height="9" fill="url(#g)"/></svg>`,
  'svg pattern': (u) =>
    `<svg><pattern id="p" xlink:href="${u}#p"/><rect width="9" height="9" fill="url(#p)"/></svg>`,
  'svg textPath': (u) => `<svg><text><textPath href="${u}#p">x</textPath></text></svg>`,
  'svg mpath': (u) =>
    `<svg><rect><animateMotion dur="1s"><mpath href="${u}#p"/></animateMotion></rect></svg>`,
  'svg animate': (u) =>
    `<svg><image width="9" height="9"><set attributeName="href" to="${u}"/></image></svg>`,
  'svg animate values': (u) =>
    `<svg><image width="9" height="9"><animate attributeName="href" values="${u};${u}?2" dur="1ms" fill="freeze"/></image></svg>`,
  'svg script': (u) => `<svg><script href="${u}"></script></svg>`,
  'svg style': (u) =>
    `<svg><style>@import "${u}"; rect { fill: url(${u}#f) }</style><rect width="9" height="9"/></svg>`,
  'svg foreignObject': (u) =>
    `<svg><foreignObject width="99" height="99"><img src="${u}"/></foreignObject></svg>`,
  'svg a ping': (u) => `<svg><a href="#" ping="${u}"><text>x</text></a></svg>`,
  'svg cursor': (u) => `<svg><cursor href="${u}"/><rect cursor="url(${u})"/></svg>`,
  'svg font': (u) =>
    `<svg><font-face><font-face-src><font-face-uri href="${u}"/></font-face-src></font-face></svg>`,
  'svg data image': (u) =>
    `<img src="data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="${u}" width="9" height="9"/><style>@import "${u}";</style></svg>`)}">`,
  'svg data stylesheet': (u) =>
    `<object type="image/svg+xml" data="data:image/svg+xml,${encodeURIComponent(`<?xml-stylesheet href="${u}"?><svg xmlns="http://www.w3.org/2000/svg"><image href="${u}"/><script href="${u}"/></svg>`)}"></object>`,
  'xml entity': (u) =>
    `<iframe src="data:application/xhtml+xml,${encodeURIComponent(`<!DOCTYPE html SYSTEM "${u}"><html xmlns="http://www.w3.org/1999/xhtml"><body><img src="${u}"/></body></html>`)}"></iframe>`,
  xslt: (u) =>
    `<iframe src="data:text/xml,${encodeURIComponent(`<?xml-stylesheet type="text/xsl" href="${u}"?><a/>`)}"></iframe>`,
  'meta refresh': (u) => `<meta http-equiv="refresh" content="0;url=${u}">`,
  'meta refresh in frame': (u) => `<iframe srcdoc="<meta http-equiv=refresh content='0;url=${u}'>"></iframe>`,
  'meta csp report': (u) =>
    `<meta http-equiv="Content-Security-Policy" content="img-src 'none'; report-uri ${u}"><img src="data:image/png,x">`,
  'meta link header': (u) => `<meta http-equiv="Link" content="<${u}>; rel=preload; as=image">`,
  'meta prefetch control': (u) =>
    `<meta http-equiv="x-dns-prefetch-control" content="on"><a href="${u}">x</a>`,
  'meta og image': (u) => `<meta property="og:image" content="${u}">`,
  'base href': (u) => `<base href="${u}"><img src="relative.png"><link rel="stylesheet" href="s.css">`,
  'html manifest': (u) => `<html manifest="${u}">`,
  'head profile': (u) => `<head profile="${u}">`,
  form: (u) => `<form action="${u}"><button autofocus formaction="${u}">x</button></form>`,
  video: (u) => `<video src="${u}" autoplay preload="auto" poster="${u}?p"></video>`,
  'video source': (u) =>
    `<video preload="auto"><source src="${u}"><track default kind="captions" src="${u}?t"></video>`,
  audio: (u) => `<audio src="${u}" autoplay preload="auto"></audio>`,
  'audio source': (u) => `<audio preload="auto"><source src="${u}"></audio>`,
  bgsound: (u) => `<bgsound src="${u}">`,
  'a ping': (u) => `<a href="#" ping="${u}">x</a>`,
  'a attribution': (u) => `<a href="#" attributionsrc="${u}">x</a>`,
  'area ping': (u) => `<map><area href="#" ping="${u}"></map>`,
  script: (u) => `<script src="${u}"></script>`,
  'script module': (u) =>
    `<script type="module" src="${u}"></script><script type="module">import "${u}"</script>`,
  'script inline': (u) =>
    `<script>fetch("${u}"); new Image().src = "${u}"; navigator.sendBeacon("${u}"); location = "${u}"; new WebSocket("${u.replace(/^http/, 'ws')}")</script>`,
  'script worker': (u) =>
    `<script>new Worker("${u}"); new SharedWorker("${u}"); navigator.serviceWorker.register("${u}")</script>`,
  'script webrtc': (u) =>
    `<script>new RTCPeerConnection({ iceServers: [{ urls: "stun:${u.replace(/^\w+:\/*/, '')}" }] }).createDataChannel("x")</script>`,
  'script importmap': (u) =>
    `<script type="importmap">{"imports":{"a":"${u}"}}</script><script type="module">import "a"</script>`,
  'script speculation': (u) =>
    `<script type="speculationrules">{"prefetch":[{"source":"list","urls":["${u}"]}],"prerender":[{"source":"list","urls":["${u}"]}]}</script>`,
  'event handler': (u) => `<img src="data:," onerror="fetch('${u}')"><body onload="fetch('${u}')">`,
  'javascript link': (u) => `<a autofocus href="javascript:fetch('${u}')">x</a>`,
  'shadow dom': (u) =>
    `<div><template shadowrootmode="open"><img src="${u}"><style>@import "${u}";</style></template></div>`,
  noscript: (u) => `<noscript><img src="${u}"><link rel="stylesheet" href="${u}"></noscript>`,
  'portal and fencedframe': (u) => `<portal src="${u}"></portal><fencedframe src="${u}"></fencedframe>`,
  math: (u) => `<math href="${u}"><mglyph src="${u}"/><maction actiontype="statusline" href="${u}"/></math>`,
  'blockquote cite': (u) =>
    `<blockquote cite="${u}">x</blockquote><q cite="${u}">x</q><del cite="${u}">x</del>`,
  'command icon': (u) => `<menu><menuitem icon="${u}"></menu>`,
};

const nested = (html: string) => `<iframe src="data:text/html,${encodeURIComponent(html)}"></iframe>`;

/** Every way, for each address, and for the first again inside a frame that is a `data:` URI. */
export function waysOut(urls: readonly [string, ...string[]]): readonly string[] {
  const all = Object.values(makers);
  return [
    ...urls.flatMap((url) => all.map((make) => make(url))),
    ...all.map((make) => nested(make(urls[0]))),
  ];
}

/** Number of ways. */
export const wayCount = Object.keys(makers).length;
