/** Runs the images of agent, gateway and command as containers, with runc. */
@NullMarked
package dev.rollcall.lab.image;

import org.jspecify.annotations.NullMarked;
