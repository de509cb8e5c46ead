/** Fuzz targets of the log of logins. */
@NullMarked
package dev.rollcall.agent.login.log;

import org.jspecify.annotations.NullMarked;
