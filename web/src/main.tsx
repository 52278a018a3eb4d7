// The entry point of the page.

import './design/variables.css';
import './design/base.css';
import './design/controls.css';
import { render } from 'preact';
import { Shell } from './shell.tsx';

render(<Shell />, document.getElementById('page')!);
