// Where the page begins.

import './design/variables.css';
import './design/base.css';
import './design/controls.css';
import { render } from 'preact';
import { Shell } from './shell.tsx';

render(<Shell />, document.getElementById('page')!);
