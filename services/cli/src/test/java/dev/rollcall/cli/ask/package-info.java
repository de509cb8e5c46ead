/** The command against a fake server by the real wire: words in, words and exit codes out. */
@NullMarked
package dev.rollcall.cli.ask;

import org.jspecify.annotations.NullMarked;
