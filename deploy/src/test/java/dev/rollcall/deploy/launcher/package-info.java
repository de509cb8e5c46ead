/** The two launchers: that of the sources, which installs and builds, and the one that ships. */
@NullMarked
package dev.rollcall.deploy.launcher;

import org.jspecify.annotations.NullMarked;
