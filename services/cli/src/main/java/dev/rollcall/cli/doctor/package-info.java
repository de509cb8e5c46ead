/** What keeps a node from doing what it should: checks over what was seen, and the seeing. */
@NullMarked
package dev.rollcall.cli.doctor;

import org.jspecify.annotations.NullMarked;
