/** The images of agent, gateway and command: their contents, and how they start in a container. */
@NullMarked
package dev.rollcall.lab.image;

import org.jspecify.annotations.NullMarked;
