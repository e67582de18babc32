#!/usr/bin/env node
console.log('stackgate');
