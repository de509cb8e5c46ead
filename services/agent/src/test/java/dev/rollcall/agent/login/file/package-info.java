/** Tests. */
@NullMarked
package dev.rollcall.agent.login.file;

import org.jspecify.annotations.NullMarked;
