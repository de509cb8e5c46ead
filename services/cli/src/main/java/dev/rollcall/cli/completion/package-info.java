/** Completion of the command's words in bash, zsh and fish, made of the command's own model. */
@NullMarked
package dev.rollcall.cli.completion;

import org.jspecify.annotations.NullMarked;
